// --- a row of clocks: the hands of d_model = 16 at one position
{
  const svg = document.querySelector(".clocks svg");
  const [button, slider, output] = ["button", "input", "output"].map((n) => document.querySelector(`.clocks ${n}`));
  const name = "http://www.w3.org/2000/svg";
  const add = (parent, kind, attributes) => {
    const made = document.createElementNS(name, kind);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    parent.append(made);
    return made;
  };
  const pairs = 8, radius = 42;
  const hands = Array.from({ length: pairs }, (_, i) => {
    const x = 840 * (i + 0.5) / pairs;
    add(svg, "circle", { cx: x, cy: 60, r: radius, fill: "none", stroke: "currentColor", "stroke-opacity": 0.35 });
    const label = add(svg, "text", { x, y: 132, "text-anchor": "middle", "font-size": 15, fill: "currentColor" });
    label.textContent = `pair ${i}`;
    const line = add(svg, "line", { x1: x, y1: 60, x2: x, y2: 60 - radius, stroke: "var(--link)", "stroke-width": 3.5, "stroke-linecap": "round" });
    return { line, x, theta: 10000 ** (-2 * i / (2 * pairs)) };
  });
  let position = Number(slider.value);
  const draw = () => {
    for (const { line, x, theta } of hands) {
      line.setAttribute("x2", x + radius * Math.sin(position * theta));
      line.setAttribute("y2", 60 - radius * Math.cos(position * theta));
    }
    slider.value = position;
    output.textContent = `position ${Math.floor(position)}`;
  };
  // Nothing starts by itself, and a paused row costs nothing.
  let last = null;
  const step = (now) => {
    if (last === null) return;
    position = (position + (now - last) / 400) % 1000;
    last = now;
    draw();
    requestAnimationFrame(step);
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    const start = last === null;
    last = start ? performance.now() : null;
    button.textContent = start ? "Pause" : "Play";
    if (start) requestAnimationFrame(step);
  });
  slider.addEventListener("input", () => { position = Number(slider.value); draw(); });
  draw();
}

// --- search: every section of every notebook, in this page
{
  const places = JSON.parse(document.getElementById("places").textContent);
  const box = document.querySelector(".search");
  const list = box.querySelector("ol");
  box.hidden = false;
  box.querySelector("input").addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
    const found = words.length ? places.filter((place) => words.every((word) => place.low.includes(word))) : [];
    list.replaceChildren(...found.slice(0, 12).map((place) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = place.to;
      link.textContent = place.title;
      const at = Math.max(place.low.indexOf(words[0]) - 60, 0);
      const part = document.createElement("small");
      part.textContent = `…${place.text.slice(at, at + 160)}…`;
      item.append(link, part);
      return item;
    }));
    if (words.length && !found.length) list.innerHTML = "<li>Nothing is found.</li>";
  });
  for (const place of places) place.low = `${place.title} ${place.text}`.toLowerCase();
}
