import type { Camera } from '../scene/camera.js';
import type { Palette } from './palette.js';
import type { Scene } from '../scene/scene-parts.js';
import type { Sprites } from '../scene/sprites.js';
import type { World } from '../model/world.js';

/** A sign, and a name, are drawn on a square that has so many pixels. */
export const SIGN = 14;
export const NAMED = 46;

export interface View {
  readonly world: World;
  readonly scene: Scene;
  readonly sprites: Sprites;
  readonly camera: Camera;
  readonly palette: Palette;
  /** Of the screen, in CSS pixels. */
  readonly w: number;
  readonly h: number;
  /** Pixels of the screen in each of them. */
  readonly ratio: number;
  /** Unit of a name in the selection: uids. */
  readonly selected: string | undefined;
  readonly hovered: string | undefined;
  /** uids that a fault acts on. */
  readonly faulty: ReadonlySet<string>;
  /** What the pods of each node ask for, by its name. */
  readonly requests: ReadonlyMap<string, { readonly cpu: number; readonly memory: number }>;
  readonly words: Words;
}

/** What stands in the picture itself. */
export interface Words {
  readonly waiting: string;
  readonly noService: string;
  readonly noOwner: string;
  readonly pods: (count: number) => string;
}
