// The pages read well without this: it adds the choice of light or dark, live charts,
// and keys for what scrolls sideways.

// --- light or dark
{
  const root = document.documentElement;
  const button = document.querySelector("button.theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const say = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* not allowed */ }
    say();
  });
  system.addEventListener("change", say);
  say();
}

// --- what is wider than its place can be reached with the tab key and scrolled by arrows
{
  const fit = (box) => {
    if (box.scrollWidth > box.clientWidth + 1) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", `${box.dataset.scrolls}, scrolls sideways`);
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
    }
  };
  const boxes = document.querySelectorAll("[data-scrolls]");
  const sizes = new ResizeObserver((entries) => entries.forEach((e) => fit(e.target)));
  boxes.forEach((box) => {
    sizes.observe(box);
    if (box.firstElementChild) sizes.observe(box.firstElementChild);
  });

  // A formula in a line of text that is wider than the text stands by itself.
  const formulas = [...document.querySelectorAll("math:not([display])")];
  const widths = () => {
    for (const box of document.querySelectorAll(".wide")) box.replaceWith(...box.childNodes);
    const tooWide = formulas.filter((math) => {
      const place = math.closest("p, li, dt, h1, h2, h3, summary > span, td, th");
      return place && !math.closest("table") && math.getBoundingClientRect().width > place.clientWidth;
    });
    tooWide.forEach((math) => {
      const box = document.createElement("span");
      box.className = "wide";
      box.dataset.scrolls = "formula";
      math.replaceWith(box);
      box.append(math);
      fit(box);
    });
  };
  const settle = () => {
    widths();
    boxes.forEach(fit); // those off the screen too, which are not observed there
  };
  let width = 0;
  new ResizeObserver(() => {
    if (document.body.clientWidth !== width) {
      width = document.body.clientWidth;
      document.fonts.ready.then(settle);
    }
  }).observe(document.body);
  document.addEventListener("toggle", settle, true);
}

// --- charts: a still picture until its place comes near, then the live one
{
  // To a screen reader a chart is its description. Once a control or a hand has come to
  // rest, a status line says what the titles now say.
  const tell = (figure, place) => {
    const status = document.createElement("p");
    status.className = "unseen";
    status.setAttribute("role", "status");
    figure.append(status);
    let resting;
    const say = () => {
      clearTimeout(resting);
      resting = setTimeout(() => {
        const titles = place.querySelectorAll(".role-title-text text, .role-title-subtitle text");
        status.textContent = [...titles].map((title) => title.textContent).join(". ");
      }, 400);
    };
    for (const event of ["input", "click", "pointerup"]) figure.addEventListener(event, say);
  };
  const draw = async (figure) => {
    const picture = figure.querySelector("img");
    const place = document.createElement("div");
    place.hidden = true;
    picture.after(place);
    // The controls stay in view where the chart scrolls sideways.
    const controls = document.createElement("form");
    controls.className = "vega-bindings";
    controls.addEventListener("submit", (event) => event.preventDefault());
    picture.parentElement.before(controls);
    const script = figure.querySelector("script");
    const spec = JSON.parse(script.textContent);
    const options = JSON.parse(script.dataset.options);
    try {
      await vegaEmbed(place, spec, {
        ...options, mode: "vega-lite", bind: controls,
      });
      // The chart says the same as the picture did.
      place.setAttribute("role", "img");
      place.setAttribute("aria-label", picture.alt);
      place.querySelector("svg").setAttribute("aria-hidden", "true");
      place.hidden = false;
      picture.remove();
      figure.classList.add("drawn");
      tell(figure, place);
    } catch (error) {
      place.remove(); // The picture stays.
      controls.remove();
      console.error(error);
    }
  };
  // After the module that brings Vega.
  addEventListener("DOMContentLoaded", () => {
    const near = new IntersectionObserver((entries) => {
      for (const entry of entries.filter((e) => e.isIntersecting)) {
        near.unobserve(entry.target);
        draw(entry.target);
      }
    }, { rootMargin: "800px" });
    document.querySelectorAll("figure.chart").forEach((figure) => near.observe(figure));
  });
}

// --- what follows a question is covered until a letter is chosen
for (const question of document.querySelectorAll(".task:has(.choice)")) {
  const hidden = [];
  let next = question.nextElementSibling;
  while (next && !next.matches(".task, nav") && !next.querySelector("h2, h3")) {
    hidden.push(next);
    next = next.nextElementSibling;
  }
  if (!hidden.length) continue;
  const cover = document.createElement("div");
  cover.className = "cover-up";
  cover.innerHTML = "<span>What follows may answer the question. Choose first.</span>";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Show it";
  const uncover = () => {
    cover.remove();
    hidden.forEach((part) => part.classList.remove("covered"));
  };
  button.addEventListener("click", uncover);
  cover.append(button);
  question.after(cover);
  hidden.forEach((part) => part.classList.add("covered"));
  for (const choice of question.querySelectorAll(".choice")) {
    choice.addEventListener("toggle", uncover, { once: true });
  }
}

// --- one section at a time, for a projector: a button, then arrow keys
{
  const [earlier, single, later] = document.querySelectorAll(".sections button");
  const parts = [];
  for (const part of document.querySelector("main").children) {
    if (!parts.length || part.querySelector("h2")) parts.push([]);
    parts.at(-1).push(part);
  }
  let shown = null; // the number of the section, or null for the whole page
  const show = (number) => {
    shown = number;
    parts.forEach((part, n) => part.forEach((e) => e.classList.toggle("away", shown !== null && n !== shown)));
    single.setAttribute("aria-pressed", shown !== null);
    earlier.hidden = later.hidden = shown === null;
    earlier.disabled = shown === 0;
    later.disabled = shown === parts.length - 1;
  };
  const step = (by) => {
    if (shown === null || !parts[shown + by]) return;
    show(shown + by);
    scrollTo(0, 0);
  };
  const here = () => {
    const above = parts.filter((part) => part[0].getBoundingClientRect().top < innerHeight / 3);
    return Math.max(above.length - 1, 0);
  };
  if (single && parts.length > 1) {
    single.hidden = false;
    single.addEventListener("click", () => {
      if (shown === null) { show(here()); scrollTo(0, 0); return; }
      const [first] = parts[shown];
      show(null);
      first.scrollIntoView();
    });
    earlier.addEventListener("click", () => step(-1));
    later.addEventListener("click", () => step(1));
    addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -1, PageDown: 1 }[event.key];
      const busy = event.target.closest?.("input, select, [data-scrolls][tabindex]");
      if (shown === null || !by || busy || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      step(by);
    });
    // A link into another section opens it.
    addEventListener("hashchange", () => {
      const target = document.getElementById(location.hash.slice(1));
      const number = target ? parts.findIndex((part) => part.some((e) => e.contains(target))) : -1;
      if (shown === null || number < 0) return;
      show(number);
      target.scrollIntoView();
    });
  }
}

// --- the contents mark where you are
{
  const links = new Map([...document.querySelectorAll(".contents a")].map((a) => [a.hash.slice(1), a]));
  const headings = [...links.keys()].map((id) => document.getElementById(id));
  let marked = null;
  const mark = () => {
    const above = headings.filter((heading) => heading.offsetHeight && heading.getBoundingClientRect().top < innerHeight / 3);
    const link = above.length ? links.get(above[above.length - 1].id) : null;
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "location");
    marked = link;
  };
  let waiting = false;
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; mark(); });
  }, { passive: true });
  mark();
}
