import { catalog } from '@terrarium/containers';
import { Cluster } from '@terrarium/engine';
import { checkpointFor } from './checkpoints.js';
import { formatChange, toRequest, type Recording } from './recording.js';

/** Runs a recording's inputs on a new cluster and returns its log, a line a change. */
export function replay({ header, inputs }: Recording): string[] {
  const { seed, tokenKey, start } = header;
  const cluster = new Cluster({ seed, images: catalog, strict: true, tokenKey });
  cluster.load(checkpointFor(header));
  const lines: string[] = [];
  for (const { at, request } of inputs) {
    const mark = cluster.mark();
    if (request) cluster.handle(toRequest(request), start + at);
    else cluster.advance(start + at);
    for (const change of cluster.since(mark)) lines.push(formatChange(change, start));
    cluster.commit();
  }
  return lines;
}
