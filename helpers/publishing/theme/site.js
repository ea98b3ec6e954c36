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
  let width = 0;
  new ResizeObserver(() => {
    if (document.body.clientWidth !== width) {
      width = document.body.clientWidth;
      document.fonts.ready.then(widths);
    }
  }).observe(document.body);
  document.addEventListener("toggle", widths, true);
}

// --- charts: a still picture until its place comes near, then the live one
{
  const draw = async (figure) => {
    const picture = figure.querySelector("img");
    const place = document.createElement("div");
    place.hidden = true;
    picture.after(place);
    // The controls stay in view where the chart scrolls sideways.
    const controls = document.createElement("form");
    controls.className = "vega-bindings";
    controls.addEventListener("submit", (event) => event.preventDefault());
    picture.parentElement.after(controls);
    const spec = JSON.parse(figure.querySelector("script").textContent);
    try {
      await vegaEmbed(place, spec, {
        mode: "vega-lite", renderer: "canvas", actions: false, defaultStyle: false, bind: controls,
      });
      // The chart says the same as the picture did.
      place.setAttribute("role", "img");
      place.setAttribute("aria-label", picture.alt);
      place.hidden = false;
      picture.remove();
      figure.classList.add("drawn");
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

// --- the contents mark where you are
{
  const links = new Map([...document.querySelectorAll(".contents a")].map((a) => [a.hash.slice(1), a]));
  const headings = [...links.keys()].map((id) => document.getElementById(id));
  let marked = null;
  const mark = () => {
    const above = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3);
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
