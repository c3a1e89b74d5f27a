import type { Start } from '@terrarium/engine';
import { utc } from '../../../programs/server.js';

/** What such programs print when they start. */

export const level =
  (caller: string, ...messages: readonly string[]) =>
  ({ at }: Start): readonly string[] =>
    messages.map((message) => `ts=${utc(at).iso} level=info caller=${caller} msg="${message}"`);

export const slog =
  (source: string, ...messages: readonly string[]) =>
  ({ at }: Start): readonly string[] =>
    messages.map((message) => `time=${utc(at).iso} level=INFO source=${source} msg="${message}"`);

export const klog =
  (...messages: readonly string[]) =>
  ({ at }: Start): readonly string[] =>
    messages.map((message) => {
      const { iso } = utc(at);
      return `I${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11, 23)}000       1 ${message}`;
    });

export const lines =
  (...messages: readonly string[]) =>
  (): readonly string[] =>
    messages;
