"use strict";
// Steps through executions. The page is complete without it: this only shows, hides and fills in, and whatever comes
// from the checked program is put in as text.
(() => {
  const walkthroughs = JSON.parse(document.getElementById("data").textContent);
  const players = [];
  let active = 0;
  document.documentElement.classList.add("js");

  const within = (value, least, most) => Math.min(Math.max(value, least), most);

  // Scrolls a box, and only this box, until something in it can be seen.
  function reveal(box, top, bottom, covered) {
    const height = box.clientHeight;
    if (top < box.scrollTop + covered + 8) box.scrollTop = Math.max(0, top - covered - height / 4);
    else if (bottom > box.scrollTop + height - 8) box.scrollTop = bottom - height * 0.75;
  }

  class Player {
    constructor(article, walk) {
      this.walk = walk;
      this.root = article.querySelector(".player");
      if (!this.root) return;
      this.find = (selector) => this.root.querySelector(selector);
      this.views = [...this.root.querySelectorAll(".view")];
      this.scroller = this.find(".scroller");
      this.slider = this.find("input[type=range]");
      this.listings = [...this.root.querySelectorAll(".listing")];
      this.values = [...this.root.querySelectorAll(".values tr")];
      this.view = 0;
      this.step = 0;
      this.zoom = 1;
      this.listen();
      this.choose(0);
      if (walk.failure) this.go(this.last); // what went wrong is seen from there; the way to it is a key away
      this.fit(0.75, 1);
    }

    get rows() { return this.walk.views[this.view]; }
    get last() { return this.rows.length - (this.walk.failure ? 0 : 1); }

    listen() {
      const actions = {
        first: () => this.go(0),
        back: () => this.go(this.step - 1),
        on: () => this.go(this.step + 1),
        last: () => this.go(this.last),
        smaller: () => this.scale(this.zoom / 1.2),
        larger: () => this.scale(this.zoom * 1.2),
        fit: () => this.fit(),
      };
      for (const button of this.root.querySelectorAll("button[data-do]"))
        button.addEventListener("click", () => actions[button.dataset.do]());
      for (const button of this.root.querySelectorAll("button[data-view]"))
        button.addEventListener("click", () => this.choose(Number(button.dataset.view)));
      this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
      this.scroller.addEventListener("click", (event) => {
        const row = event.target.closest("[data-row]");
        if (row) this.go(Number(row.dataset.row));
      });
      this.scroller.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        const keys = {
          ArrowDown: actions.on, ArrowUp: actions.back, Home: actions.first, End: actions.last,
          "+": actions.larger, "-": actions.smaller, "0": actions.fit,
        };
        if (!keys[event.key]) return;
        event.preventDefault();
        keys[event.key]();
      });
    }

    // Another selection of steps: stays at the same moment.
    choose(view) {
      const number = this.number();
      this.view = view;
      this.views.forEach((each, index) => { each.hidden = index !== view; });
      for (const button of this.root.querySelectorAll("button[data-view]"))
        button.setAttribute("aria-pressed", String(Number(button.dataset.view) === view));
      this.slider.max = String(this.last);
      let step = 0;
      this.rows.forEach((row, index) => { if (row.number <= number) step = index; });
      this.go(number === Infinity ? this.last : step);
      this.scale(this.zoom);
    }

    // Of the last step that has happened.
    number() {
      const rows = this.rows;
      return this.step >= rows.length ? Infinity : rows.length ? rows[this.step].number : 0;
    }

    go(step) {
      this.step = within(step, 0, this.last);
      this.slider.value = String(this.step);
      const failed = this.step >= this.rows.length;
      const row = failed ? null : this.rows[this.step];
      const shown = failed ? `failure, after ${this.rows.length} steps` : `${this.step + 1} of ${this.rows.length}`;
      this.find(".position").textContent = shown;
      this.slider.setAttribute("aria-valuetext", shown);
      for (const name of ["first", "back"]) this.find(`[data-do=${name}]`).disabled = this.step === 0;
      for (const name of ["on", "last"]) this.find(`[data-do=${name}]`).disabled = this.step === this.last;
      this.tell(row);
      this.draw();
      this.fill(failed);
      this.mark(row);
    }

    // What happens, in words.
    tell(row) {
      const told = row || this.walk.failure;
      const now = this.find(".now");
      now.classList.toggle("at-failure", !row);
      const who = now.querySelector(".who");
      who.className = `who t${told.thread % 8}`;
      who.textContent = this.walk.names[told.thread] || `T${told.thread}`;
      now.querySelector(".what").textContent = told.said;
      now.querySelector(".place").textContent = told.place;
      const calls = row && row.calls.length > 1 ? `called by ${row.calls.slice(1).join(", ")}` : "";
      now.querySelector(".calls").textContent = calls;
    }

    // The diagram: the row of this step, what is still to come, the arrows that end or begin here.
    draw() {
      const view = this.views[this.view];
      const svg = view.querySelector(".diagram");
      for (const row of svg.querySelectorAll("[data-row]")) {
        const index = Number(row.dataset.row);
        row.classList.toggle("later", index > this.step);
        row.classList.toggle("now-row", index === this.step);
      }
      for (const link of svg.querySelectorAll(".link")) {
        const begin = Number(link.dataset.begin), end = Number(link.dataset.end);
        link.classList.toggle("later", end > this.step);
        link.classList.toggle("live", end === this.step || (begin === this.step && end <= this.step));
      }
      const here = svg.querySelector(".here");
      const hit = svg.querySelector(`[data-row="${this.step}"] .hit`);
      const top = Number(hit.getAttribute("y")), height = Number(hit.getAttribute("height"));
      here.setAttribute("y", String(top));
      here.setAttribute("height", String(height));
      const at = svg.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top + this.scroller.scrollTop;
      reveal(this.scroller, at + top * this.zoom, at + (top + height) * this.zoom, view.querySelector(".heads").offsetHeight);
    }

    // Values of the shared variables after this step. Steps between two rows belong to the first of them.
    fill(failed) {
      const next = this.step + 1 < this.rows.length ? this.rows[this.step + 1].number : Infinity;
      const from = failed ? Infinity : this.rows.length ? this.rows[this.step].number : 0;
      this.walk.variables.forEach((variable, index) => {
        const line = this.values[index];
        let now = null, before = null;
        for (const [since, text] of variable.values) {
          if (since < from) before = text;
          if (since < next) now = text;
        }
        const changed = before !== null && now !== before;
        const touched = variable.touched.some((number) => number >= from && number < next);
        line.classList.toggle("changed", changed);
        line.classList.toggle("touched", touched);
        line.querySelector("b").textContent = now === null ? "–" : now;
        line.querySelector(".was").textContent = changed ? `was ${before}` : "";
        if (touched) reveal(line.closest(".values"), line.offsetTop, line.offsetTop + line.offsetHeight, 0);
      });
    }

    // The source: the line of this step, and where each thread is.
    mark(row) {
      for (const old of this.root.querySelectorAll(".listing .current")) old.classList.remove("current", "failing");
      for (const old of this.root.querySelectorAll(".listing .badges span")) old.remove();
      const where = new Map();
      this.rows.slice(0, this.step + 1).forEach((each) => { if (each.at) where.set(each.thread, each.at); });
      let at = row && row.at;
      if (!row) {
        for (const each of this.walk.failure.where) {
          if (each.at) where.set(each.thread, each.at);
          if (each.thread === this.walk.failure.thread) at = each.at;
        }
      }
      const file = at ? at[0] : this.listings.findIndex((each) => !each.hidden);
      this.listings.forEach((each, index) => { each.hidden = index !== Math.max(file, 0); });
      const title = this.listings[Math.max(file, 0)];
      this.find(".file-name").textContent = title ? title.dataset.name : "Source";
      for (const [thread, [of, line]] of [...where].sort((one, other) => one[0] - other[0])) {
        const badges = this.line(of, line)?.querySelector(".badges");
        if (!badges) continue;
        const badge = document.createElement("span");
        badge.className = `t${thread % 8}`;
        badge.textContent = `T${thread}`;
        badge.title = this.walk.names[thread] || "";
        badges.append(badge);
      }
      const current = at && this.line(at[0], at[1]);
      if (!current) return;
      current.classList.add("current");
      current.classList.toggle("failing", !row);
      reveal(this.find(".sources"), current.offsetTop, current.offsetTop + current.offsetHeight, 0);
    }

    line(file, number) {
      return this.listings[file]?.querySelector(`tr[data-line="${number}"]`);
    }

    scale(zoom) {
      this.zoom = within(zoom, 0.3, 3);
      for (const svg of this.views[this.view].querySelectorAll("svg.diagram, svg.diagram-head")) {
        const box = svg.viewBox.baseVal;
        svg.setAttribute("width", String(box.width * this.zoom));
        svg.setAttribute("height", String(box.height * this.zoom));
      }
      this.draw();
    }

    // All lanes side by side, if they can be read then.
    fit(least = 0.3, most = 3) {
      const svg = this.views[this.view].querySelector("svg.diagram");
      const room = this.scroller.clientWidth;
      if (room) this.scale(within((room - 1) / svg.viewBox.baseVal.width, least, most));
    }
  }

  const articles = [...document.querySelectorAll(".finding")];
  articles.forEach((article, index) => players.push(new Player(article, walkthroughs[index])));

  // Which of the findings is shown.
  const tabs = [...document.querySelectorAll("[role=tab]")];
  function select(index) {
    active = index;
    tabs.forEach((tab, each) => {
      tab.setAttribute("aria-selected", String(each === index));
      tab.tabIndex = each === index ? 0 : -1;
    });
    articles.forEach((article, each) => { article.hidden = each !== index; });
    const player = players[index];
    if (!player.root) return;
    if (!player.seen) player.fit(0.75, 1);
    player.seen = true;
    player.go(player.step);
  }
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => select(index));
    tab.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      select((index + by + tabs.length) % tabs.length);
      tabs[active].focus();
    });
  });
  if (tabs.length) select(0);

  // Left and right step wherever the reader is, unless something there needs these keys itself.
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, .values, .sources")) return;
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const player = players[active];
    if (!by || !player || !player.root) return;
    event.preventDefault();
    player.go(player.step + by);
  });

  for (const button of document.querySelectorAll("button.copy")) {
    button.addEventListener("click", async () => {
      const text = button.parentElement.querySelector("pre");
      try {
        await navigator.clipboard.writeText(text.textContent.trim());
        button.textContent = "copied";
      } catch {
        getSelection().selectAllChildren(text);
        button.textContent = "selected";
      }
      setTimeout(() => { button.textContent = "copy"; }, 2000);
    });
  }

  // The table says what the diagram says: closed on a screen, there on paper.
  const tables = [...document.querySelectorAll("details.as-table")];
  tables.forEach((each) => { each.open = false; });
  addEventListener("beforeprint", () => tables.forEach((each) => { each.open = true; }));
  addEventListener("afterprint", () => tables.forEach((each) => { each.open = false; }));
})();
