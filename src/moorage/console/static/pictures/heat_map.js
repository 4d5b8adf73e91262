// Every host as a cell, on one canvas: ten thousand of them are drawn in a few milliseconds.
//
// A cell is as large as lets all of them be seen at once; where there is room, it carries its name. The map takes the
// focus as a whole: arrow keys move a cursor over it, Enter opens the host under it. The cells are drawn once, on a canvas
// that nobody sees; whoever moves over them costs a copy of it and an outline.

import { h } from "../dom.js";
import { readable, rgb } from "./contrast.js";
import { withoutMiddle } from "./names.js";

const SIZES = [[132, 46], [124, 40], [104, 40], [34, 34], [28, 28], [22, 22], [18, 18], [15, 15], [12, 12], [10, 10], [8, 8], [6, 6]];
const LABELLED = 100;
const HEADING = 30;
const GAP = 12;

/**
 * `onOpen(item)` is called for a chosen cell, `onLook(item)` for the one under the pointer or cursor (null: none). A finger
 * cannot hover: its first tap on a cell without a name only looks, with `onLook(item, true)`, and its second one opens.
 */
export function heatMap({ label, onOpen, onLook }) {
  const canvas = h("canvas", { class: "heat-map", tabindex: 0, role: "application", "aria-label": label });
  const element = h("div", { class: "heat-map-frame" }, canvas);
  const picture = document.createElement("canvas");
  let groups = [];
  let plan = [];
  let cells = []; // of all groups, in their order
  let ink = null;
  let scale = 1;
  let cursor = null;
  let hovered = null;
  let tapped = null; // the item that a finger has chosen

  /** Find a place for each cell and draw it there. */
  function arrange() {
    const width = element.clientWidth;
    if (!width) return;
    const [size, height] = chosenSize(groups, width);
    plan = laidOut(groups, width, size);
    cells = plan.flatMap((group) => group.cells);
    [cursor, hovered] = [cursor, hovered].map((old) => old && (cells.find((cell) => cell.item === old.item && cell.group === old.group) ?? null));
    scale = window.devicePixelRatio || 1;
    picture.width = canvas.width = Math.round(width * scale);
    picture.height = canvas.height = Math.round(height * scale);
    canvas.style.height = `${height}px`;
    ink = colours(canvas);
    const context = picture.getContext("2d");
    context.scale(scale, scale);
    paint(context, width);
    draw();
  }

  function paint(context, width) {
    for (const group of plan) {
      context.fillStyle = ink.text;
      context.font = "600 13px system-ui, sans-serif";
      context.textBaseline = "alphabetic";
      context.fillText(group.name, 0, group.top + 18);
      context.fillStyle = ink.muted;
      context.font = "12px system-ui, sans-serif";
      context.textAlign = "right";
      context.fillText(group.note, width, group.top + 18);
      context.textAlign = "left";
      for (const cell of group.cells) drawCell(context, ink, cell);
    }
  }

  /** The picture, and which cells are looked at. */
  function draw() {
    if (!cells.length) return;
    const context = canvas.getContext("2d");
    context.resetTransform();
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(picture, 0, 0);
    context.scale(scale, scale);
    for (const cell of [hovered, document.activeElement === canvas ? cursor : null]) {
      if (cell) outline(context, ink, cell);
    }
  }

  function at(event) {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const group = plan.find((each) => y >= each.top + HEADING && y < each.bottom);
    if (!group) return null;
    const column = Math.floor(x / group.step[0]);
    const row = Math.floor((y - group.top - HEADING) / group.step[1]);
    return column < group.columns ? (group.cells[row * group.columns + column] ?? null) : null;
  }

  function look(cell) {
    if (cell === hovered) return;
    hovered = cell;
    canvas.style.cursor = cell ? "pointer" : "default";
    onLook(cell?.item ?? null);
    draw();
  }

  function move(event) {
    if (!cells.length) return;
    const place = cells.indexOf(cursor);
    const group = plan.find((each) => each.name === cursor?.group) ?? plan[0];
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: group.columns, ArrowUp: -group.columns, Home: -cells.length, End: cells.length };
    if (event.key === "Enter" && cursor) onOpen(cursor.item);
    if (!(event.key in steps)) return;
    event.preventDefault();
    cursor = cells[place < 0 ? 0 : Math.max(0, Math.min(cells.length - 1, place + steps[event.key]))];
    onLook(cursor.item);
    draw();
  }

  canvas.addEventListener("pointermove", (event) => look(at(event)));
  function choose(event) {
    const cell = at(event);
    if (!cell) return;
    if (event.pointerType !== "touch" || cell.width >= LABELLED || cell.item === tapped) {
      onOpen(cell.item);
      return;
    }
    tapped = cell.item;
    look(cell);
    onLook(cell.item, true);
  }

  canvas.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") look(null); });
  canvas.addEventListener("click", choose);
  canvas.addEventListener("keydown", move);
  canvas.addEventListener("focus", draw);
  canvas.addEventListener("blur", draw);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", arrange);
  const watcher = new ResizeObserver(arrange);
  watcher.observe(element);

  return {
    element,
    /** Groups are { name, note, cells: [{ item, label, text, value, faded }] }; a value is 0 … 1, more, or null. */
    show(wanted) {
      groups = wanted;
      hovered = tapped = null;
      arrange();
    },
    close() {
      watcher.disconnect();
      scheme.removeEventListener("change", arrange);
    },
  };
}

/** The largest cells with which everything is seen at once, or the smallest there are; and the height it takes. */
function chosenSize(groups, width) {
  const most = Math.max(360, window.innerHeight * 0.62);
  let height = 0;
  for (const size of SIZES) {
    height = heightOf(groups, width, size);
    if (height <= most) return [size, height];
  }
  return [SIZES.at(-1), height];
}

/** How many cells of a size are beside each other, and how far apart they are. */
function raster(width, [wide, high]) {
  const gap = wide >= 28 ? 4 : wide >= 12 ? 2 : 1;
  return { gap, columns: Math.max(1, Math.floor((width + gap) / (wide + gap))), rowStep: high + gap };
}

function heightOf(groups, width, size) {
  const { columns, rowStep } = raster(width, size);
  const heights = groups.map((group) => HEADING + Math.ceil(group.cells.length / columns) * rowStep);
  return heights.reduce((sum, height) => sum + height, 0) + GAP * Math.max(0, groups.length - 1);
}

function laidOut(groups, width, [wide, high]) {
  const { gap, columns, rowStep } = raster(width, [wide, high]);
  if (wide >= LABELLED) wide = (width + gap) / columns - gap; // names like the room that is left over
  const step = [wide + gap, rowStep];
  let top = 0;
  return groups.map((group) => {
    const rows = Math.ceil(group.cells.length / columns);
    const placed = {
      ...group, top, columns, step, bottom: top + HEADING + rows * step[1],
      cells: group.cells.map((cell, number) => ({
        ...cell, group: group.name, width: wide, height: high,
        x: (number % columns) * step[0], y: top + HEADING + Math.floor(number / columns) * step[1],
      })),
    };
    top = placed.bottom + GAP;
    return placed;
  });
}

function drawCell(context, ink, cell) {
  context.globalAlpha = cell.faded ? 0.16 : 1;
  const colour = cell.value === null ? ink.none : ink.heat(cell.value);
  context.fillStyle = colour;
  if (cell.width >= 12) {
    context.beginPath();
    context.roundRect(cell.x, cell.y, cell.width, cell.height, cell.width >= 28 ? 5 : 2);
    context.fill();
  } else {
    context.fillRect(cell.x, cell.y, cell.width, cell.height);
  }
  if (cell.width >= LABELLED) {
    context.fillStyle = ink.on(cell.value);
    context.font = "600 12px system-ui, sans-serif";
    const fits = (text) => context.measureText(text).width <= cell.width - 16;
    context.fillText(withoutMiddle(cell.label, fits), cell.x + 8, cell.y + cell.height / 2 - 3);
    context.font = "11px system-ui, sans-serif";
    context.fillText(withoutMiddle(cell.text, fits), cell.x + 8, cell.y + cell.height / 2 + 12);
  }
  context.globalAlpha = 1;
}

function outline(context, ink, cell) {
  context.strokeStyle = ink.text;
  context.lineWidth = 2;
  context.strokeRect(cell.x + 1, cell.y + 1, cell.width - 2, cell.height - 2);
}

/** The colours that a picture is drawn with, as the style sheet has them now. */
export function colours(element) {
  const style = getComputedStyle(element);
  const read = (name) => style.getPropertyValue(name).trim();
  const stops = [0, 1, 2, 3, 4, 5].map((number) => rgb(read(`--heat-${number}`)));
  const [over, none] = [read("--heat-over"), read("--none")];
  const between = (value) => {
    const place = Math.min(0.9999, Math.max(0, value)) * (stops.length - 1);
    const first = Math.floor(place);
    return stops[first].map((part, channel) => Math.round(part + (stops[first + 1][channel] - part) * (place - first)));
  };
  return {
    text: read("--text"), muted: read("--muted"), none,
    heat: (value) => (value > 1 ? over : `rgb(${between(value).join(" ")})`),
    on: (value) => readable(value === null ? rgb(none) : value > 1 ? rgb(over) : between(value), ["#10202a", "#ffffff"]),
  };
}
