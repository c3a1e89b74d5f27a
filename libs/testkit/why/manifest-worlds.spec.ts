import { describe, expect, test } from '@jest/globals';
import { readWorlds, runWorld } from './manifest-worlds.js';

describe.each([
  'after.yaml',
  'behind.yaml',
  'courses.yaml',
  'operations.yaml',
  'placement.yaml',
  'reach.yaml',
  'refusals.yaml',
  'roots.yaml',
  'strangers.yaml',
  'time.yaml',
])('%s', (file) => {
  test.each(readWorlds(file).map((world) => [world.title, world] as const))('%s', (_title, world) => {
    const answers = runWorld(world);
    expect(answers.length).toBeGreaterThan(0);
    for (const { text, says } of answers)
      for (const part of says)
        if (part.startsWith('!')) expect(text).not.toContain(part.slice(1));
        else expect(text).toContain(part);
  });
});
