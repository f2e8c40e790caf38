/** Pan and zoom of a square board: a window on the plane that wheel, fingers and keys move. */
import type { Place, View } from "./board.ts";

const CLOSEST = 9; // cells across at the closest
const STEP = 1.5;
const DRAG = 6; // pixels a pointer may tremble before it drags

/** Holds the window; every change is told to `changed`. */
export class Zoom {
  private window: View | null = null;
  private readonly pointers = new Map<number, Place>();
  private moved = false;

  constructor(
    private readonly whole: () => View,
    private readonly changed: () => void,
  ) {}

  get view(): View {
    return this.window ?? this.whole();
  }

  /** Whether the pointer that was just lifted dragged, so that its click means nothing. */
  get dragged(): boolean {
    return this.moved;
  }

  reset(): void {
    this.window = null;
    this.changed();
  }

  /** Zoom in (`factor` above 1) or out around a place, which stays where it is. */
  by(factor: number, around: Place = this.middle()): void {
    const whole = this.whole();
    const { left, top, width } = this.view;
    const span = Math.min(whole.width, Math.max(Math.min(CLOSEST, whole.width), width / factor));
    const ratio = span / width;
    this.show(
      around.left - (around.left - left) * ratio,
      around.top - (around.top - top) * ratio,
      span,
    );
  }

  in(): void {
    this.by(STEP);
  }

  out(): void {
    this.by(1 / STEP);
  }

  /** Move the window so that a cell, with some room around it, is seen. */
  reveal({ left, top }: Place): void {
    const view = this.view;
    const room = Math.min(3, view.width / 4);
    const [x, y] = [
      clamp(view.left, left + room - view.width, left - room),
      clamp(view.top, top + room - view.height, top - room),
    ];
    if (x !== view.left || y !== view.top) this.show(x, y, view.width);
  }

  onWheel(event: WheelEvent, at: Place): void {
    event.preventDefault();
    this.by(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002)), at);
  }

  onDown(event: PointerEvent): void {
    if (this.pointers.size === 0) this.moved = false;
    this.pointers.set(event.pointerId, { left: event.clientX, top: event.clientY });
  }

  /** Follow one finger (or a pressed mouse) or two; `unit` is the pixels of a cell. */
  onMove(event: PointerEvent, unit: number, at: Place): void {
    const before = this.pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = { left: event.clientX, top: event.clientY };
    const [dx, dy] = [now.left - before.left, now.top - before.top];
    if (!this.moved && Math.hypot(dx, dy) < DRAG) return;
    this.moved = true;
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.pointers.set(event.pointerId, now);
    const { left, top, width } = this.view;
    if (other === undefined) {
      this.show(left - dx / unit, top - dy / unit, width);
    } else {
      this.show(left - dx / unit / 2, top - dy / unit / 2, width);
      this.by(distance(now, other) / Math.max(1, distance(before, other)), at);
    }
  }

  onUp(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
  }

  private middle(): Place {
    const { left, top, width, height } = this.view;
    return { left: left + width / 2, top: top + height / 2 };
  }

  private show(left: number, top: number, span: number): void {
    const whole = this.whole();
    this.window = {
      left: clamp(left, whole.left, whole.left + whole.width - span),
      top: clamp(top, whole.top, whole.top + whole.height - span),
      width: span,
      height: span,
    };
    this.changed();
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

function distance(one: Place, other: Place): number {
  return Math.hypot(one.left - other.left, one.top - other.top);
}
