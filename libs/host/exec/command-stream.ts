import { ApiError, type CommandResult, type ExecResponse } from '@terrarium/engine';
import type { RawData, WebSocket } from 'ws';
import type { SessionLimits } from './session-limits.js';
import { END_OF_INPUT, Terminal } from './terminal.js';

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
const CHUNK_BYTES = 32 * 1024;
const NORMAL_CLOSURE = 1000;
const GOING_AWAY = 1001;
/** 128 and the number of SIGKILL: how a container's processes end with it. */
const KILLED = 137;

const INTERNAL_ERROR = new ApiError(500, 'InternalError', 'error executing command in container');

/** Why a session ends without its command: its container has ended, or its cluster is deleted or unloaded here. */
export type SessionEnd = 'killed' | 'closed';

/** A command, and what runs it: CommandSession in a host. */
export interface RunnableCommand {
  readonly response: ExecResponse;
  readonly limits: SessionLimits;
  /** Runs the command on the input from its first byte on. An ApiError that it rejects with is the session's status. */
  run(input: string): Promise<CommandResult>;
  /** Calls the listener when the session ends before the command; at once when it has. */
  onEnd(listener: (end: SessionEnd) => void): void;
  /** The client has left, or the command has ended. */
  close(): void;
}

/**
 * Runs one command on a WebSocket: its output goes on channel 1, its status on channel 3. The command runs anew on all
 * input so far, and the output beyond that of the last run is sent; input that comes while a run waits for its turn is
 * part of that run. Models kubelet/pkg/cri/streaming/remotecommand/websocket.go.
 */
export function serveCommand(client: WebSocket, session: RunnableCommand): void {
  new CommandStream(client, session).begin();
}

class CommandStream {
  private readonly base64: boolean;
  /** The protocol lets the client end its input and still read the output. */
  private readonly hasHalfClose: boolean;
  private readonly terminal: Terminal | undefined;
  private input = '';
  /** What the last run has read. */
  private ranUpTo = 0;
  private receivedBytes = 0;
  private written = 0;
  /** Echo of the terminal that was not sent yet: many keys make one message. */
  private echoed = '';
  private isInputOver = false;
  private isRunning = false;
  private isOver = false;
  private idle: NodeJS.Timeout | undefined;
  private readonly lifetime: NodeJS.Timeout;

  constructor(
    private readonly client: WebSocket,
    private readonly session: RunnableCommand,
  ) {
    const { tty, isShell } = session.response;
    this.base64 = client.protocol.includes('base64');
    this.hasHalfClose = client.protocol === 'v5.channel.k8s.io';
    this.terminal = tty && isShell ? new Terminal((text) => (this.echoed += text)) : undefined;
    this.lifetime = setTimeout(() => this.close(NORMAL_CLOSURE), session.limits.sessionMs);
  }

  begin(): void {
    const { client, session } = this;
    client.on('error', () => client.terminate());
    client.on('close', () => this.stop());
    client.on('message', (data) => this.receive(data));
    session.onEnd((end) => (end === 'killed' ? this.sendExitCode(KILLED) : this.close(GOING_AWAY)));
    // An empty message tells the client that the streams are open.
    this.send(STDOUT, '');
    this.restartIdleTimer();
    if (!session.response.stdin) this.endInput();
    else this.prompt();
  }

  private receive(data: RawData): void {
    if (this.isOver) return;
    this.restartIdleTimer();
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]);
    const channel = this.base64 ? (bytes[0] ?? 0) - 0x30 : bytes[0];
    if (channel === CLOSE && this.hasHalfClose && bytes[1] === STDIN) return this.endInput();
    if (channel !== STDIN || !this.session.response.stdin || this.isInputOver) return;
    const text = this.base64
      ? Buffer.from(bytes.subarray(1).toString('latin1'), 'base64').toString('utf8')
      : bytes.subarray(1).toString('utf8');
    const { totalInputBytes } = this.session.limits;
    this.receivedBytes += text.length;
    if (this.receivedBytes > totalInputBytes)
      return this.fail(
        new ApiError(413, 'RequestEntityTooLarge', `standard input is limited to ${totalInputBytes} bytes`),
      );
    if (this.terminal) this.terminal.type(text);
    else this.input += text;
    this.runWhatHasCome();
  }

  private endInput(): void {
    this.isInputOver = true;
    this.runWhatHasCome();
  }

  /** Runs until nothing has come since the last run. One loop at a time: what comes meanwhile, it finds. */
  private runWhatHasCome(): void {
    if (this.isRunning) return;
    const running = this.terminal ? this.runKeys(this.terminal) : this.runInput();
    running.catch((error: unknown) => this.fail(error instanceof ApiError ? error : INTERNAL_ERROR));
  }

  private async runInput(): Promise<void> {
    // A client that cannot end its input gets the output of every complete line.
    const runsLines = this.session.response.isShell || !this.hasHalfClose;
    while (!this.isOver && !this.isInputOver) {
      const upTo = this.input.lastIndexOf('\n') + 1;
      if (!runsLines || upTo <= this.ranUpTo) return;
      await this.runLines(upTo);
    }
    if (!this.isOver) await this.runToEnd();
  }

  /** What a shell on a terminal does: reads a line, runs it, prompts. */
  private async runKeys(terminal: Terminal): Promise<void> {
    let lines = 0;
    while (!this.isOver) {
      const line = terminal.readLine();
      if (line === END_OF_INPUT || (line === undefined && this.isInputOver)) return this.runToEnd();
      if (line === undefined) return this.flush();
      this.input += line;
      // The rest of a long paste runs as one.
      if (++lines > this.session.limits.singleLines && terminal.waitingLines > 0) continue;
      await this.runLines(this.input.length);
      terminal.prompt();
    }
  }

  private prompt(): void {
    this.terminal?.prompt();
    this.flush();
  }

  private flush(): void {
    const { echoed } = this;
    this.echoed = '';
    if (echoed) this.send(STDOUT, echoed);
  }

  private async runLines(upTo: number): Promise<void> {
    this.ranUpTo = upTo;
    const { ended, code } = await this.run(this.input.slice(0, upTo));
    if (ended) this.sendExitCode(code);
  }

  private async runToEnd(): Promise<void> {
    this.sendExitCode((await this.run(this.input)).code);
  }

  private async run(input: string): Promise<CommandResult> {
    this.flush();
    this.isRunning = true;
    try {
      const result = await this.session.run(input);
      this.sendOutput(result);
      return result;
    } finally {
      this.isRunning = false;
    }
  }

  private sendOutput({ output }: CommandResult): void {
    this.flush();
    const fresh = output.slice(this.written);
    this.written = output.length;
    if (fresh) this.send(STDOUT, this.session.response.tty ? fresh.replace(/\r?\n/g, '\r\n') : fresh);
  }

  private sendExitCode(code: number): void {
    if (code === 0) return this.finish({ status: 'Success' });
    const command = this.session.response.command.join(' ');
    this.finish({
      status: 'Failure',
      message: `command terminated with non-zero exit code: error executing command [${command}], exit code ${code}`,
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
    });
  }

  private fail({ reason, message, code }: ApiError): void {
    this.finish({ status: 'Failure', reason, message, code });
  }

  private finish(status: Record<string, unknown>): void {
    if (this.isOver) return;
    this.flush();
    const text =
      this.client.protocol.includes('v4') || this.hasHalfClose
        ? JSON.stringify({ metadata: {}, ...status })
        : String(status['message'] ?? '');
    if (text) this.send(ERROR, text);
    this.close(NORMAL_CLOSURE);
  }

  private send(channel: number, text: string): void {
    if (this.isOver) return;
    const bytes = Buffer.from(text);
    for (let at = 0; at === 0 || at < bytes.length; at += CHUNK_BYTES) {
      const part = bytes.subarray(at, at + CHUNK_BYTES);
      if (this.base64) this.client.send(`${channel}${part.toString('base64')}`);
      else this.client.send(Buffer.concat([Buffer.from([channel]), part]));
    }
    if (this.client.bufferedAmount > this.session.limits.unreadBytes) this.client.terminate();
  }

  private restartIdleTimer(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.close(NORMAL_CLOSURE), this.session.limits.idleMs);
  }

  private close(code: number): void {
    this.stop();
    this.client.close(code);
  }

  private stop(): void {
    this.isOver = true;
    clearTimeout(this.idle);
    clearTimeout(this.lifetime);
    this.session.close();
  }
}
