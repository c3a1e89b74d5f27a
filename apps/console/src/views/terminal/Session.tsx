import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { useEffect, useRef, useState } from 'react';
import { socketProtocols } from '../../api/credentials.js';
import { Button } from '../../parts/Button.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { noncedDocument, withNoncedStyles } from './nonced-document.js';
import { findTarget, type Target } from './target.js';
import { readMessage, terminalPath, type Place } from './places.js';
import '@xterm/xterm/css/xterm.css';
import './terminal.css';

const PROTOCOL = 'v1.terminal.terrarium.dev';
const SCROLLBACK = 5_000;
/** Keys that are kept until there is a shell to take them. */
const MAX_TYPED = 1_000;
const THEME_VARIABLES = {
  background: '--surface',
  foreground: '--text',
  cursor: '--accent',
  selectionBackground: '--accent-soft',
} as const;

type State =
  | { readonly is: 'connecting' | 'open' | 'lost' }
  | { readonly is: 'ended'; readonly code: number }
  | { readonly is: 'refused'; readonly why: string };

interface SessionProps {
  readonly clusterId: string;
  readonly place: Place;
  readonly isShown: boolean;
  /** Is typed when the shell is there; another turn types the next one. */
  readonly typing?: { readonly text: string; readonly turn: number };
}

/** One terminal. When its connection is gone it says so, and begins anew when told to: a shell does not survive. */
export default function Session({ clusterId, place, isShown, typing }: SessionProps) {
  const host = useRef<HTMLDivElement>(null);
  const fit = useRef<FitAddon>(undefined);
  const terminal = useRef<Terminal>(undefined);
  const [state, setState] = useState<State>({ is: 'connecting' });
  const [turn, setTurn] = useState(0);
  const [takesInput, setInput] = useState(true);
  const isAttached = place.on === 'attach';
  useEffect(() => {
    const made = new Terminal({
      documentOverride: noncedDocument(),
      scrollback: SCROLLBACK,
      fontSize: 13,
      screenReaderMode: true,
      theme: themeOf(host.current!),
      fontFamily: monoOf(host.current!),
    });
    const addon = new FitAddon();
    made.loadAddon(addon);
    withNoncedStyles(() => made.open(host.current!));
    addon.fit();
    fit.current = addon;
    terminal.current = made;
    made.attachCustomKeyEventHandler((event) => handleKey(event, made));
    let socket: { close(): void } | undefined;
    let isLeft = false;
    setState({ is: 'connecting' });
    const typed: string[] = [];
    const early = made.onData((data) => typed.length < MAX_TYPED && typed.push(data));
    void findTarget(clusterId, place, () => isLeft).then((found) => {
      if (isLeft) return;
      early.dispose();
      // What no terminal writes has no carriage returns.
      made.options.convertEol = !found.streams.tty;
      setInput(found.streams.stdin);
      socket = open(clusterId, found, { terminal: made, typed }, setState);
    });
    const observer = new ResizeObserver(() => host.current?.offsetParent && addon.fit());
    observer.observe(host.current!);
    const themes = new MutationObserver(() => host.current && (made.options.theme = themeOf(host.current)));
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      isLeft = true;
      observer.disconnect();
      themes.disconnect();
      socket?.close();
      made.dispose();
    };
    // A place is the same for the life of its tab.
  }, [clusterId, turn]);
  useEffect(() => {
    if (!typing || state.is !== 'open') return;
    terminal.current?.input(`${typing.text.trim()}\n`);
    terminal.current?.focus();
    // Each turn is typed once, also when the shell was not there yet.
  }, [typing?.turn, state.is === 'open']);
  useEffect(() => {
    if (!isShown) return;
    fit.current?.fit();
    terminal.current?.focus();
  }, [isShown, turn]);
  return (
    <div className="session" hidden={!isShown}>
      {state.is !== 'open' && (
        <div className="session-state" role="status">
          {words(state, isAttached)}
          {state.is !== 'connecting' && <Button onClick={() => setTurn((n) => n + 1)}>{t.terminal.again}</Button>}
        </div>
      )}
      {state.is === 'open' && isAttached && (
        <p className="hint">{takesInput ? t.terminal.attached : t.terminal.attachedWithoutInput}</p>
      )}
      <div ref={host} className="session-screen" />
    </div>
  );
}

function words(state: State, isAttached: boolean): string {
  if (state.is === 'ended') return isAttached ? t.terminal.containerEnded(state.code) : t.terminal.ended(state.code);
  if (state.is === 'refused') return visible(state.why);
  return state.is === 'lost' ? t.terminal.lost : t.terminal.connecting;
}

interface Screen {
  readonly terminal: Terminal;
  /** What was typed so far, for the shell that is to come. */
  readonly typed: string[];
}

/** Connects a terminal with a shell; what happens is told by `setState`. */
function open(
  clusterId: string,
  { place, streams }: Target,
  { terminal, typed }: Screen,
  setState: (state: State) => void,
): { close(): void } {
  const url = location.origin.replace(/^http/, 'ws') + terminalPath(clusterId, place, streams);
  const socket = new WebSocket(url, socketProtocols(PROTOCOL));
  socket.binaryType = 'arraybuffer';
  const encoder = new TextEncoder();
  let isOver = false;
  let wasOpen = false;
  const finish = (state: State): void => {
    if (isOver) return;
    isOver = true;
    setState(state);
  };
  const resize = (): void => {
    if (socket.readyState === WebSocket.OPEN)
      socket.send(JSON.stringify({ resize: { columns: terminal.cols, rows: terminal.rows } }));
  };
  socket.onopen = () => {
    wasOpen = true;
    setState({ is: 'open' });
    resize();
    for (const data of typed.splice(0)) socket.send(encoder.encode(data));
  };
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data !== 'string') return terminal.write(new Uint8Array(data));
    const message = readMessage(data);
    if (!message) return;
    finish(
      'exit' in message ? { is: 'ended', code: message.exit.code } : { is: 'refused', why: message.error.message },
    );
  };
  socket.onclose = () => finish(wasOpen ? { is: 'lost' } : { is: 'refused', why: t.terminal.refused });
  const keys = terminal.onData((data) => {
    if (!streams.stdin) return;
    if (socket.readyState === WebSocket.OPEN) socket.send(encoder.encode(data));
    else if (socket.readyState === WebSocket.CONNECTING && typed.length < MAX_TYPED) typed.push(data);
  });
  const binary = terminal.onBinary(
    (data) =>
      streams.stdin &&
      socket.readyState === WebSocket.OPEN &&
      socket.send(Uint8Array.from(data, (c) => c.charCodeAt(0))),
  );
  const resized = terminal.onResize(resize);
  return {
    close: () => {
      isOver = true;
      for (const one of [keys, binary, resized]) one.dispose();
      socket.close(1000);
    },
  };
}

/** Ctrl+Shift+C and V copy and paste, as in other terminals; Ctrl+Shift+Escape leaves it by the keyboard. */
function handleKey(event: KeyboardEvent, terminal: Terminal): boolean {
  if (event.type !== 'keydown' || !event.ctrlKey || !event.shiftKey) return true;
  if (event.code === 'KeyC') {
    event.preventDefault();
    // Without a secure context there is no clipboard but the browser's own command, which xterm.js answers.
    if (navigator.clipboard) void navigator.clipboard.writeText(terminal.getSelection());
    else document.execCommand('copy');
    return false;
  }
  if (event.code === 'KeyV') {
    if (!navigator.clipboard) return false;
    event.preventDefault();
    // Whoever does not let the page read it pastes by the browser's own menu.
    navigator.clipboard.readText().then(
      (text) => terminal.paste(text),
      () => undefined,
    );
    return false;
  }
  if (event.key !== 'Escape') return true;
  document.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus();
  return false;
}

const themeOf = (element: Element): Record<string, string> => {
  const style = getComputedStyle(element);
  return Object.fromEntries(
    Object.entries(THEME_VARIABLES).map(([name, variable]) => [name, style.getPropertyValue(variable).trim()]),
  );
};
const monoOf = (element: Element): string => getComputedStyle(element).getPropertyValue('--mono');
