/** So many small squares are drawn pixel by pixel; fewer, each by itself, with smooth edges. */
export const MANY = 1_500;

/**
 * Small squares as pixels of one image: the browser draws it at once, where twenty thousand rectangles would take it
 * longer than a frame has.
 */
export class Dots {
  private readonly canvas = new OffscreenCanvas(1, 1);
  private readonly ctx = this.canvas.getContext('2d')!;
  private image = new ImageData(1, 1);
  private pixels = new Uint32Array(this.image.data.buffer);

  /** An empty image of a screen of `w` by `h` CSS pixels, each of `ratio` by `ratio` of its own. */
  begin(w: number, h: number, ratio: number): void {
    const [width, height] = [Math.max(1, Math.round(w * ratio)), Math.max(1, Math.round(h * ratio))];
    if (this.image.width === width && this.image.height === height) {
      this.pixels.fill(0);
      return;
    }
    this.canvas.width = width;
    this.canvas.height = height;
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  /** Around its middle, in pixels of the image. */
  square(x: number, y: number, side: number, colour: number): void {
    fillSquare(this.pixels, this.image, { x, y, side, colour });
  }

  draw(ctx: CanvasRenderingContext2D, w: number, h: number): void {
    this.ctx.putImageData(this.image, 0, 0);
    ctx.drawImage(this.canvas, 0, 0, w, h);
  }
}

/** What of a square is within the image; at least one pixel of it. */
export function fillSquare(
  pixels: Uint32Array,
  { width, height }: { readonly width: number; readonly height: number },
  { x, y, side, colour }: { readonly x: number; readonly y: number; readonly side: number; readonly colour: number },
): void {
  const size = Math.max(1, Math.round(side));
  const [x0, y0] = [Math.round(x - side / 2), Math.round(y - side / 2)];
  const [from, to] = [Math.max(0, x0), Math.min(width, x0 + size)];
  if (from >= to) return;
  const bottom = Math.min(height, y0 + size);
  for (let row = Math.max(0, y0); row < bottom; row++) {
    const end = row * width + to;
    // Of rows of six pixels a call each would cost more than the pixels.
    for (let i = row * width + from; i < end; i++) pixels[i] = colour;
  }
}

/** '#rrggbb' as a pixel of a little-endian machine; `towards` another by a share of 0..1. */
export function pixelOf(hex: string, towards = hex, share = 0): number {
  const part = (i: number): number => {
    const [from, to] = [hex, towards].map((one) => Number.parseInt(one.slice(1 + 2 * i, 3 + 2 * i), 16)) as [
      number,
      number,
    ];
    return Math.round(from + (to - from) * share);
  };
  return ((255 << 24) | (part(2) << 16) | (part(1) << 8) | part(0)) >>> 0;
}
