import { Writable } from 'node:stream';
import type { WebSocket } from 'ws';

const BASE64 = 'base64.binary.k8s.io';
/** Protocols of one stream of bytes; without one the messages are binary. */
export const LOG_PROTOCOLS: ReadonlySet<string> = new Set(['binary.k8s.io', BASE64]);
const CHUNK_BYTES = 2_048;
const NORMAL_CLOSURE = 1000;

/**
 * Sends a pod's log in binary messages, or in text ones of base64. Ignores what the client sends. Models
 * wsstream.Reader (apimachinery/pkg/util/httpstream/wsstream/stream.go).
 */
export class LogMessages extends Writable {
  constructor(
    private readonly client: WebSocket,
    private readonly protocol: string,
  ) {
    super({ decodeStrings: true, autoDestroy: false });
    client.on('close', () => this.destroy());
    client.on('error', () => this.destroy());
    // An empty message tells the client that the stream is open.
    this.send(Buffer.alloc(0));
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    for (let at = 0; at < chunk.length; at += CHUNK_BYTES) {
      const part = chunk.subarray(at, at + CHUNK_BYTES);
      this.send(part, at + CHUNK_BYTES >= chunk.length ? done : undefined);
    }
    if (chunk.length === 0) done();
  }

  override _final(done: () => void): void {
    this.client.close(NORMAL_CLOSURE);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.client.terminate();
    done(error);
  }

  private send(bytes: Buffer, done?: (error?: Error) => void): void {
    this.client.send(this.protocol === BASE64 ? bytes.toString('base64') : bytes, done);
  }
}
