import type { Pod } from '../../../api/core_v1.js';
import type { Client, Reader } from '../../../machinery/client.js';
import type { Sessions } from '../../../machinery/requests/sessions.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { ImageCatalog } from '../image.js';
import type { Machines } from '../machines.js';

export interface RuntimeServiceOptions {
  readonly read: Reader;
  readonly client: Client;
  readonly images: ImageCatalog;
  readonly sessions: Sessions;
  readonly machines: Machines;
  readonly now: Millis;
  /** The pod whose program asks: its own machine is in the middle of a step. */
  readonly from: Pod;
}

export type Body = Readonly<Record<string, unknown>>;
export type Operation = (options: RuntimeServiceOptions, body: Body) => object;

/** What a call of the CRI fails with: gRPC's code, and a description. */
export class RuntimeFailure extends Error {}

export const notFound = (what: string, id: string): RuntimeFailure =>
  new RuntimeFailure(`rpc error: code = NotFound desc = an error occurred when try to find ${what} "${id}": not found`);

export const textIn = (body: Body, name: string): string => {
  const value = body[name];
  return typeof value === 'string' ? value : '';
};

export const numberIn = (body: Body, name: string): number => {
  const value = body[name];
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value) : 0;
};

export const bodyIn = (body: Body, name: string): Body => {
  const value = body[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {};
};
