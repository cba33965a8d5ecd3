// Errors marked in a text. By keyboard: arrows move by word, with Shift they extend, a digit marks.
// By touch: tap the first and the last word, then a severity.

import { make } from "./dom.js";
import { cut, wordsOf } from "./words.js";

export class Errors {
  // One list for an output: errors of the output itself, of the source, and missing text.
  constructor(protocol, given, changed) {
    this.protocol = protocol;
    this.list = given.map((one) => ({ ...one }));
    this.surfaces = [];
    this.changed = changed;
    this.listing = make("ul", { class: "errors", "aria-label": "Marked errors" });
    this.chooser = make("div", { class: "chooser", hidden: true });
  }

  add(error) {
    const same = (one) => one.side === error.side && one.start === error.start
      && one.end === error.end && Boolean(one.missing) === Boolean(error.missing);
    this.list = error.missing ? this.list : this.list.filter((one) => !same(one));
    this.list.push(error);
    this.refresh();
  }

  remove(error) {
    this.list = this.list.filter((one) => one !== error);
    this.refresh();
  }

  // With categories, the severity is known first; the error is added when a category is chosen.
  mark(error, back) {
    if (!this.protocol.categories.length) {
      this.add(error);
      back();
      return;
    }
    const close = () => { this.chooser.hidden = true; this.chooser.replaceChildren(); back(); };
    const choose = (category) => { this.add({ ...error, category }); close(); };
    const letters = "abcdefghijklmnopqrstuvwxyz";
    const wanted = this.protocol.categories;
    const buttons = wanted.map((category, at) => make("button", {
      type: "button", onclick: () => choose(category),
    }, make("kbd", {}, letters[at] ?? ""), category));
    this.chooser.replaceChildren(
      make("h3", {}, `Which kind of ${error.severity} error?`), make("div", { class: "kinds" },
        ...buttons), make("button", { type: "button", onclick: close }, "Cancel (Esc)"));
    this.chooser.hidden = false;
    this.chooser.onkeydown = (event) => {
      const at = letters.indexOf(event.key.toLowerCase());
      const here = buttons.indexOf(document.activeElement);
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (at >= 0 && at < wanted.length) choose(wanted[at]);
      else if (event.key === "Escape") close();
      else if (event.key === "ArrowDown" || event.key === "ArrowRight") buttons[Math.min(here + 1, buttons.length - 1)].focus();
      else if (event.key === "ArrowUp" || event.key === "ArrowLeft") buttons[Math.max(here - 1, 0)].focus();
      else { if (event.key === "Enter") event.stopPropagation(); return; }
      event.preventDefault();
      event.stopPropagation();
    };
    buttons[0].focus();
  }

  refresh() {
    for (const one of this.surfaces) one.show();
    this.listing.replaceChildren(...this.list.map((error) => this.row(error)));
    this.changed({});
  }

  row(error) {
    const surface = this.surfaces.find((one) => one.side === error.side);
    const missing = error.missing || (error.side === "target" && error.start === error.end);
    const quoted = missing ? "(missing text)"
      : surface ? cut(surface.text, error.start, error.end) : "";
    return make("li", { class: `severity-${error.severity}` },
      make("span", { class: "what" }, make("b", {}, error.severity), " ",
        error.category ? `${error.category} ` : "",
        error.side === "source" ? "in the source: " : "",
        make("bdi", { class: missing ? "none" : "quoted" }, quoted)),
      make("button", { type: "button", class: "small", "aria-label": `Remove ${error.severity} error`,
        onclick: () => this.remove(error) }, "✕"));
  }

  values() {
    return this.list.map((one) => (one.missing || one.start === one.end)
      ? { missing: true, severity: one.severity, category: one.category ?? "" }
      : { side: one.side, start: one.start, end: one.end, severity: one.severity,
          category: one.category ?? "" });
  }
}

export class Surface {
  constructor(errors, side, text, label) {
    Object.assign(this, { errors, side, text, label });
    this.words = wordsOf(text);
    this.stops = this.words.map((_, at) => at).filter((at) => !this.words[at].space);
    this.cursor = 0;
    this.anchor = null; // where a selection began; null where nothing is selected
    this.tapped = false;
    errors.surfaces.push(this);
    this.spans = this.words.map((word, at) => make("span", {
      class: word.space ? "gap" : "word", onclick: word.space ? null : () => this.tap(at),
    }, word.text));
    this.field = make("div", {
      class: "text words", dir: "auto", tabIndex: 0, role: "group", "aria-label": label,
      onkeydown: (event) => this.pressed(event), onfocus: () => this.show(),
      onblur: () => this.show(),
    }, ...this.spans);
    this.tools = this.toolbar();
    this.element = make("div", { class: "surface" }, this.field, this.tools);
    this.show();
  }

  get selection() {
    if (!this.stops.length) return null;
    const from = this.anchor ?? this.cursor;
    const [first, last] = from < this.cursor ? [from, this.cursor] : [this.cursor, from];
    return { start: this.words[this.stops[first]].start, end: this.words[this.stops[last]].end };
  }

  toolbar() {
    const buttons = this.errors.protocol.severities.map((severity, at) => make("button", {
      type: "button", class: `severity-${severity}`, onclick: () => this.mark(severity),
    }, make("kbd", {}, String(at + 1)), severity));
    const missing = this.side === "target" ? make("button", { type: "button", class: "missing",
      onclick: () => this.missing() }, make("kbd", {}, "m"), "missing text") : null;
    this.hint = make("span", { class: "remark hint", "aria-live": "polite" });
    return make("div", { class: "tools" }, ...buttons, missing, this.hint);
  }

  mark(severity) {
    const back = () => { this.anchor = null; this.tapped = false; this.forMissing = false;
      this.field.focus({ preventScroll: true }); this.show(); };
    if (this.forMissing) {
      this.errors.mark({ side: "target", missing: true, start: 0, end: 0, severity }, back);
      return;
    }
    const place = this.selection;
    this.tapped = false; // and with it the hint, while a kind is asked for
    if (place) this.errors.mark({ side: this.side, ...place, severity }, back);
  }

  missing() {
    this.forMissing = !this.forMissing;
    this.field.focus({ preventScroll: true });
    this.show();
  }

  tap(at) {
    const place = this.stops.indexOf(at);
    this.forMissing = false;
    if (this.tapped && this.anchor !== null && place !== this.cursor) {
      this.cursor = place;
    } else if (this.tapped && place === this.cursor && this.anchor === place) {
      this.anchor = null;
      this.tapped = false;
    } else {
      this.cursor = this.anchor = place;
      this.tapped = true;
    }
    this.field.focus({ preventScroll: true });
    this.show();
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const turned = getComputedStyle(this.field).direction === "rtl";
    const steps = { ArrowRight: turned ? -1 : 1, ArrowLeft: turned ? 1 : -1 };
    const digit = Number(event.key);
    if (event.key in steps || event.key === "Home" || event.key === "End") {
      if (event.shiftKey) this.anchor ??= this.cursor;
      else this.anchor = null;
      const last = this.stops.length - 1;
      const next = event.key === "Home" ? 0 : event.key === "End" ? last
        : this.cursor + steps[event.key];
      this.cursor = Math.max(0, Math.min(last, next));
      this.forMissing = this.tapped = false;
    } else if (event.key.trim() && digit >= 1 && digit <= this.errors.protocol.severities.length) {
      this.mark(this.errors.protocol.severities[digit - 1]);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      const place = this.selection;
      const hit = place && this.errors.list.findLast((one) => one.side === this.side
        && one.start < place.end && place.start < one.end);
      if (hit) this.errors.remove(hit);
    } else if (event.key === "m" && this.side === "target") {
      this.missing();
    } else if (event.key === "Escape") {
      this.anchor = null;
      this.forMissing = this.tapped = false;
    } else return;
    event.preventDefault();
    event.stopPropagation();
    this.show();
  }

  show() {
    const own = this.errors.list.filter((one) => one.side === this.side && one.start < one.end);
    const place = this.selection;
    const here = document.activeElement === this.field;
    const chosen = this.anchor !== null;
    this.words.forEach((word, at) => {
      const over = own.filter((one) => one.start < word.end && word.start < one.end);
      const heaviest = over.map((one) => this.errors.protocol.severities.indexOf(one.severity));
      const index = Math.max(-1, ...heaviest.filter((one) => this.errors.protocol.severities[one] !== "neutral"));
      const severity = over.length ? this.errors.protocol.severities[index] ?? "neutral" : "";
      const inside = place && word.start >= place.start && word.end <= place.end;
      this.spans[at].className = [word.space ? "gap" : "word", severity && `severity-${severity}`,
        chosen && inside && "selected",
        here && !word.space && this.stops[this.cursor] === at && "cursor"].filter(Boolean).join(" ");
    });
    this.tools.classList.toggle("ready", chosen || Boolean(this.forMissing));
    this.hint.textContent = this.forMissing ? "Something is missing: how severe is it?"
      : this.tapped ? "Tap the last word of the error, then a severity." : "";
  }

  focus() { this.field.focus(); }
}
