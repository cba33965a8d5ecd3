"""Chen and Kuhn (2011), Table 6: AMBER with one penalty dropped at a time."""

from typing import Final

from experiments.amber2011.variants import AS_BEFORE, SETS, Paper, agreements, by_data, table
from experiments.data import Data
from experiments.running import main
from experiments.sections import Section

PENALTIES: Final = (*("SBP", "SRP", "CSBP", "CSRP", "SWDP", "LWDP", "CTP", "CKP", "NSCP", "NKCP"),)
VARIANTS: Final = {"All": "amber"} | {f"−{one}": f"amber[{one.lower()}=0]" for one in PENALTIES}
PAPER: Final = {
    "All": Paper(systems=("0.84", "0.86", "N/A"), segments=("0.62", "0.60", "N/A")),
    "−SBP": Paper(systems=("0.82", "0.84", "−0.02"), segments=("0.62", "0.60", "−0.00")),
    "−SRP": Paper(systems=("0.83", "0.88", "+0.01"), segments=("0.62", "0.60", "+0.00")),
    "−CSBP": Paper(systems=("0.84", "0.85", "−0.01"), segments=("0.62", "0.60", "+0.00")),
    "−CSRP": Paper(systems=("0.83", "0.87", "+0.01"), segments=("0.62", "0.60", "−0.00")),
    "−SWDP": Paper(systems=("0.84", "0.86", "−0.00"), segments=("0.62", "0.60", "+0.00")),
    "−LWDP": Paper(systems=("0.83", "0.83", "−0.03"), segments=("0.62", "0.60", "−0.00")),
    "−CTP": Paper(systems=("0.82", "0.84", "−0.02"), segments=("0.62", "0.60", "−0.00")),
    "−CKP": Paper(systems=("0.83", "0.87", "+0.01"), segments=("0.62", "0.60", "−0.00")),
    "−NSCP": Paper(systems=("0.83", "0.86", "−0.00"), segments=("0.62", "0.60", "+0.00")),
    "−NKCP": Paper(systems=("0.82", "0.85", "−0.01"), segments=("0.62", "0.60", "+0.00")),
}


def run(data: Data) -> Section:
    """The weights of the others stay as they are."""
    found = agreements(data, "amber", VARIANTS)
    dropped = [key for key in found if key != "All"]
    gains = {
        name: {
            key: found[key].at("systems", name) - found["All"].at("systems", name)
            for key in dropped
        }
        for name in SETS
    }
    return Section(
        title="Chen and Kuhn (2011), Table 6: penalties dropped one at a time",
        blocks=[
            f"{AS_BEFORE} The weights of the other penalties are unchanged.",
            table(found, PAPER, "penalties"),
            by_data(
                "dropping LWDP, the long-word difference, costs most at system level.",
                {
                    name: {
                        name: min(dropped, key=lambda key: found[key].at("systems", name))
                        == "−LWDP"
                    }
                    for name in SETS
                },
            ),
            by_data(
                "dropping CTP, the continuity, costs agreement at system level.",
                {name: {name: gains[name]["−CTP"] < 0} for name in SETS},
            ),
            by_data(
                "dropping CKP, CSRP or SRP may improve agreement at system level.",
                {
                    name: {
                        f"{key} ({name})": gains[name][key] > 0 for key in ("−CKP", "−CSRP", "−SRP")
                    }
                    for name in SETS
                },
            ),
        ],
    )


if __name__ == "__main__":
    main(run)
