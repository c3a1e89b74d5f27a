import type { BodyResponse } from '@terrarium/engine';

/** How long (ms) a body may be made before another tenant has a turn. */
const PIECE_MS = 10;

/**
 * Makes a large body in pieces. `nextTurn` is told what the last piece took (ms), and resolves when the next may begin.
 */
export async function prepareBody(
  response: BodyResponse,
  nextTurn: (ms: number) => Promise<void>,
): Promise<BodyResponse> {
  if (!response.prepare) return response;
  let started = performance.now();
  for (const _ of response.prepare()) {
    const ms = performance.now() - started;
    if (ms < PIECE_MS) continue;
    await nextTurn(ms);
    started = performance.now();
  }
  if (response.pieces) return response;
  const { type, status, headers, body } = response;
  return { type, status, headers, body };
}
