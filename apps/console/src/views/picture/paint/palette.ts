import type { Tone } from '../model/tone.js';

/** Colours of the picture. The tones differ in brightness as well, for eyes that see colours otherwise. */
export interface Palette {
  readonly ground: string;
  readonly grid: string;
  readonly box: string;
  readonly inner: string;
  readonly edge: string;
  readonly title: string;
  readonly text: string;
  readonly faint: string;
  readonly select: string;
  readonly bad: string;
  readonly warn: string;
  readonly good: string;
  readonly track: string;
  readonly cpu: string;
  readonly memory: string;
  readonly beam: string;
  readonly flash: string;
  readonly onTone: string;
  readonly tones: Readonly<Record<Tone, string>>;
}

export const DARK: Palette = {
  ground: '#0c1211',
  grid: '#121a18',
  box: '#17211e',
  inner: '#1d2925',
  edge: '#334540',
  title: '#eef5f2',
  text: '#b9c9c2',
  faint: '#8da099',
  select: '#ffd166',
  bad: '#ff6b6b',
  warn: '#ffb454',
  good: '#3ddc97',
  track: '#26342f',
  cpu: '#5cc8ff',
  memory: '#b48cff',
  beam: '#8fd3ff',
  flash: '#ffffff',
  onTone: '#06120e',
  tones: {
    ready: '#2fbf86',
    unready: '#d9c64a',
    starting: '#4aa8ff',
    waiting: '#93a6a0',
    failing: '#ff5d5d',
    ending: '#a77bf3',
    done: '#566a63',
  },
};

export const LIGHT: Palette = {
  ground: '#f3f6f4',
  grid: '#e8eeeb',
  box: '#ffffff',
  inner: '#f0f4f2',
  edge: '#c9d4cf',
  title: '#14211c',
  text: '#3d4d46',
  faint: '#586760',
  select: '#b45309',
  bad: '#c81e1e',
  warn: '#b45309',
  good: '#067a52',
  track: '#dfe7e3',
  cpu: '#0b7bc1',
  memory: '#7446d8',
  beam: '#0b7bc1',
  flash: '#14211c',
  onTone: '#ffffff',
  tones: {
    ready: '#1a9e6b',
    unready: '#b8960c',
    starting: '#2b7fe0',
    waiting: '#84958e',
    failing: '#d92d2d',
    ending: '#8250df',
    done: '#aebbb5',
  },
};
