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
