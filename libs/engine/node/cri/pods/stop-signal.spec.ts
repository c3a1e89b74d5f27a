import { expect, test } from '@jest/globals';
import { makeCatalog } from '../images/catalog.js';
import type { Image } from '../image.js';
import { stopSignalOf } from './stop-signal.js';

const imageWith = (name: string, stopSignal: string | undefined): Image => ({
  repositories: [`docker.io/library/${name}`],
  tags: /./,
  layers: [],
  config: stopSignal === undefined ? {} : { stopSignal },
  start: () => undefined,
});
const SIGNALS_OF: Readonly<Record<string, string | undefined>> = {
  plain: undefined,
  quit: 'SIGQUIT',
  winch: 'WINCH',
  number: '2',
  odd: 'SIGRTMIN+3',
};
const images = makeCatalog(
  Object.entries(SIGNALS_OF).map(([name, signal]) => imageWith(name, signal)),
  imageWith('unknown', undefined),
  { isPublished: () => false },
);

test.each<[string, string]>([
  ['plain', 'TERM'],
  ['quit:1.0', 'QUIT'],
  ['docker.io/library/winch', 'WINCH'],
  ['number', 'INT'],
  ['odd', 'TERM'],
  ['nowhere/nothing', 'TERM'],
  ['Not An Image', 'TERM'],
])('a container of %s is sent %s', (image, signal) => expect(stopSignalOf(image, images)).toBe(signal));
