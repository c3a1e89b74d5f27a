import type { CommandResult, ExecResponse } from '@terrarium/engine';
import type { RawData, WebSocket } from 'ws';

/** Protocols of commands, best first. */
export const COMMAND_PROTOCOLS = new Set([
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v4.base64.channel.k8s.io',
  'channel.k8s.io',
  'base64.channel.k8s.io',
]);

/** Channels. Resizes of the terminal (4) are ignored. */
const [STDIN, STDOUT, ERROR, CLOSE] = [0, 1, 3, 255];
const MAX_STDIN_BYTES = 256 * 1024;
/** As a kubelet, closes a stream on which nothing is sent. */
const IDLE_MS = 10 * 60_000;
const CHUNK_BYTES = 32 * 1024;
const NORMAL_CLOSURE = 1000;
const PROMPT = '/ # ';

/**
 * Runs one command on a WebSocket: its output goes on channel 1, its status on channel 3. The command runs anew on all
 * input so far, and the output beyond that of the last run is sent. Models
 * kubelet/pkg/cri/streaming/remotecommand/websocket.go.
 */
export function serveCommand(client: WebSocket, response: ExecResponse): void {
  new CommandStream(client, response).begin();
}

class CommandStream {
  private readonly base64: boolean;
  /** The protocol lets the client end its input and still read the output. */
  private readonly hasHalfClose: boolean;
  private input = '';
  private written = 0;
  private line = '';
  private isOver = false;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly client: WebSocket,
    private readonly response: ExecResponse,
  ) {
    this.base64 = client.protocol.includes('base64');
    this.hasHalfClose = client.protocol === 'v5.channel.k8s.io';
  }

  begin(): void {
    const { client, response } = this;
    client.on('error', () => client.terminate());
    client.on('close', () => this.stop());
    client.on('message', (data) => this.runSafely(() => this.receive(data)));
    // An empty message tells the client that the streams are open.
    this.send(STDOUT, '');
    this.restartIdleTimer();
    if (!response.stdin) this.runSafely(() => this.end());
    else if (this.isTerminal) this.send(STDOUT, PROMPT);
  }

  private get isTerminal(): boolean {
    return this.response.tty && this.response.isShell;
  }

  private runSafely(work: () => void): void {
    try {
      if (!this.isOver) work();
    } catch {
      this.finish({
        status: 'Failure',
        reason: 'InternalError',
        message: 'error executing command in container',
        code: 500,
      });
    }
  }

  private receive(data: RawData): void {
    this.restartIdleTimer();
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]);
    const channel = this.base64 ? (bytes[0] ?? 0) - 0x30 : bytes[0];
    if (channel === CLOSE && this.hasHalfClose && bytes[1] === STDIN) return this.end();
    if (channel !== STDIN || !this.response.stdin) return;
    const text = this.base64
      ? Buffer.from(bytes.subarray(1).toString('latin1'), 'base64').toString('utf8')
      : bytes.subarray(1).toString('utf8');
    if (this.input.length + text.length > MAX_STDIN_BYTES)
      return this.finish({
        status: 'Failure',
        reason: 'RequestEntityTooLarge',
        message: `standard input is limited to ${MAX_STDIN_BYTES} bytes`,
        code: 413,
      });
    if (this.isTerminal) return this.typeKeys(text);
    this.input += text;
    // A client that cannot end its input gets the output of every complete line.
    if (this.response.isShell || !this.hasHalfClose) this.runLines();
  }

  /** What a terminal does with keys: echo, line editing, ^C and ^D. */
  private typeKeys(text: string): void {
    for (const key of text) {
      if (this.isOver) return;
      if (key === '\r' || key === '\n') this.enter();
      else if (key === '\u007f' || key === '\b') this.erase();
      else if (key === '\u0003') this.cancelLine();
      else if (key === '\u0004') {
        if (this.line === '') return this.end();
      } else if (key >= ' ' || key === '\t') {
        this.line += key;
        this.send(STDOUT, key);
      }
    }
  }

  private enter(): void {
    this.send(STDOUT, '\r\n');
    this.input += `${this.line}\n`;
    this.line = '';
    if (!this.runLines()) this.send(STDOUT, PROMPT);
  }

  private erase(): void {
    if (this.line === '') return;
    this.line = this.line.slice(0, -1);
    this.send(STDOUT, '\b \b');
  }

  private cancelLine(): void {
    this.line = '';
    this.send(STDOUT, `^C\r\n${PROMPT}`);
  }

  /** Runs the complete lines of the input; true when the command has ended. */
  private runLines(): boolean {
    const upTo = this.input.lastIndexOf('\n') + 1;
    if (upTo === 0) return false;
    const result = this.response.run(this.input.slice(0, upTo));
    this.sendOutput(result);
    if (result.ended) this.sendExitCode(result);
    return result.ended;
  }

  private end(): void {
    const result = this.response.run(this.input);
    this.sendOutput(result);
    this.sendExitCode(result);
  }

  private sendOutput({ output }: CommandResult): void {
    const fresh = output.slice(this.written);
    this.written = output.length;
    if (fresh) this.send(STDOUT, this.response.tty ? fresh.replace(/\r?\n/g, '\r\n') : fresh);
  }

  private sendExitCode({ code }: CommandResult): void {
    if (code === 0) return this.finish({ status: 'Success' });
    const message = `command terminated with non-zero exit code: error executing command [${this.response.command.join(' ')}], exit code ${code}`;
    this.finish({
      status: 'Failure',
      message,
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
    });
  }

  private finish(status: Record<string, unknown>): void {
    if (this.isOver) return;
    const text =
      this.client.protocol.includes('v4') || this.hasHalfClose
        ? JSON.stringify({ metadata: {}, ...status })
        : String(status['message'] ?? '');
    if (text) this.send(ERROR, text);
    this.stop();
    this.client.close(NORMAL_CLOSURE);
  }

  private send(channel: number, text: string): void {
    const bytes = Buffer.from(text);
    for (let at = 0; at === 0 || at < bytes.length; at += CHUNK_BYTES) {
      const part = bytes.subarray(at, at + CHUNK_BYTES);
      if (this.base64) this.client.send(`${channel}${part.toString('base64')}`);
      else this.client.send(Buffer.concat([Buffer.from([channel]), part]));
    }
  }

  private restartIdleTimer(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.client.close(NORMAL_CLOSURE), IDLE_MS);
  }

  private stop(): void {
    this.isOver = true;
    clearTimeout(this.idle);
  }
}
