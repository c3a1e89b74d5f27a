import { describe, expect, test } from '@jest/globals';
import { Mode } from './mode.js';

const flagsOf = ({ isInStep, isActing, isForecasting }: Mode): boolean[] => [isInStep, isActing, isForecasting];

describe('what the work under way may do', () => {
  test.each<[string, (mode: Mode) => boolean[], boolean[]]>([
    ['a look', flagsOf, [false, false, false]],
    ['a step', (mode) => mode.inStep(() => flagsOf(mode)), [true, false, false]],
    ['an input', (mode) => mode.acting(() => flagsOf(mode)), [false, true, false]],
    ['a run ahead', (mode) => mode.forecasting(() => flagsOf(mode)), [false, false, true]],
    [
      'a run ahead in an input',
      (mode) => mode.acting(() => mode.forecasting(() => flagsOf(mode))),
      [false, false, true],
    ],
    ['a reading in an input', (mode) => mode.acting(() => mode.besides(() => flagsOf(mode))), [true, false, false]],
    [
      'a reading in a run ahead',
      (mode) => mode.forecasting(() => mode.besides(() => flagsOf(mode))),
      [true, false, false],
    ],
  ])('%s', (_, run, expected) => {
    const mode = new Mode();
    expect(run(mode)).toEqual(expected);
    expect(flagsOf(mode)).toEqual([false, false, false]);
  });

  test('it is as before after an error', () => {
    const mode = new Mode();
    const fail = (): never => {
      throw new Error('no');
    };
    expect(() => mode.acting(() => mode.inStep(() => mode.besides(() => mode.forecasting(fail))))).toThrow('no');
    expect(flagsOf(mode)).toEqual([false, false, false]);
  });

  test('peers are of one input', () => {
    const mode = new Mode();
    mode.addPeer('before');
    mode.acting(() => {
      mode.addPeer('a');
      mode.acting(() => expect(mode.hasPeers).toBe(false));
      expect(mode.takePeers()).toEqual(['a']);
      expect(mode.hasPeers).toBe(false);
    });
  });

  test('a run ahead knows since when it would have to wait', () => {
    const mode = new Mode();
    mode.forecasting((waitsSince) => {
      expect(waitsSince()).toBe(Infinity);
      mode.wait(7);
      mode.wait(9);
      expect(waitsSince()).toBe(7);
      mode.forecasting((inner) => expect(inner()).toBe(Infinity));
      expect(waitsSince()).toBe(7);
    });
  });
});
