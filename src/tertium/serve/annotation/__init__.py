"""Named entities, marked by people in the browser."""
