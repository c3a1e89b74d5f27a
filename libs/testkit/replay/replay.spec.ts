import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { BEHAVIOUR_VERSION } from '@terrarium/engine';
import { parseRecording, RECORDINGS } from './recording.js';
import { replay } from './replay.js';

const LEAST = 50;
const REPLAY_MS = 60_000;
const names = fs
  .readdirSync(RECORDINGS)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => file.slice(0, -'.jsonl'.length));

const read = (file: string): string => fs.readFileSync(path.join(RECORDINGS, file), 'utf8');

test(`there are ${LEAST} recordings, each with its log`, () => {
  expect(names.length).toBeGreaterThanOrEqual(LEAST);
  expect(names.filter((name) => read(`${name}.changes`).length === 0)).toEqual([]);
});

describe.each(names)('%s', (name) => {
  test(
    'leads to the log that it led to',
    () => {
      const recording = parseRecording(read(`${name}.jsonl`));
      expect(recording.header.behaviour).toBe(BEHAVIOUR_VERSION);
      const log = replay(recording);
      const recorded = read(`${name}.changes`).trimEnd().split('\n');
      const first = recorded.findIndex((line, i) => log[i] !== line);
      // The first change that differs says more than the thousand that follow from it.
      expect({ at: first, was: recorded[first], is: log[first] }).toEqual({ at: -1, was: undefined, is: undefined });
      expect(log.length).toBe(recorded.length);
    },
    REPLAY_MS,
  );
});
