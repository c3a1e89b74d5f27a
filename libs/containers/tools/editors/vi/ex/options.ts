import type { ViOptions, ViState } from '../state.js';

type Name = keyof ViOptions;

const SHORT: Readonly<Record<string, Name>> = {
  ...{ nu: 'number', rnu: 'relativenumber', ai: 'autoindent', et: 'expandtab', ic: 'ignorecase' },
  ...{ ts: 'tabstop', sw: 'shiftwidth', li: 'list' },
};
const NAMES: readonly Name[] = [
  ...(['number', 'relativenumber', 'list', 'autoindent', 'expandtab', 'ignorecase', 'tabstop', 'shiftwidth'] as const),
];
const IN_BUSYBOX: readonly Name[] = ['autoindent', 'expandtab', 'ignorecase', 'tabstop'];

/** `:set` with its words; without any it lists what is set. */
export function setOptions(state: ViState, words: string): void {
  const list = words.trim().split(/\s+/).slice(0, 50);
  if (list[0] === '') {
    state.message = NAMES.flatMap((name) => (isSet(state, name) ? [show(state, name)] : [])).join('  ');
    return;
  }
  for (const word of list) setOne(state, word);
}

function setOne(state: ViState, word: string): void {
  const [, negation = '', given = '', mark = '', value = ''] = /^(no|inv)?([a-z]+)([=:!?]?)(.{0,20})$/.exec(word) ?? [];
  const whole = nameOf(state, `${negation}${given}`);
  const name = whole ?? nameOf(state, given);
  if (name === undefined) return refuse(state, word, `${negation}${given}` || word);
  const { options } = state;
  if (mark === '?') state.message = show(state, name);
  else if (name === 'tabstop' || name === 'shiftwidth') {
    const width = Number(value);
    if (mark === '' && value === '') state.message = show(state, name);
    else if (!Number.isInteger(width) || width < 1 || width > 32) {
      state.message = state.isBusybox ? `bad option: ${word}` : `E487: Argument must be positive: ${word}`;
    } else {
      options[name] = width;
      if (state.isBusybox) options.shiftwidth = width;
    }
  } else if (mark === '=' || mark === ':') refuse(state, word, given);
  else {
    const isOff = whole === undefined && negation === 'no';
    options[name] = mark === '!' || (whole === undefined && negation === 'inv') ? !options[name] : !isOff;
  }
}

function nameOf(state: ViState, text: string): Name | undefined {
  const name = SHORT[text] ?? NAMES.find((full) => full === text);
  return name !== undefined && (!state.isBusybox || IN_BUSYBOX.includes(name)) ? name : undefined;
}

function refuse(state: ViState, word: string, name: string): void {
  state.message = state.isBusybox ? `bad option: ${word}` : `E518: Unknown option: ${name}`;
}

const isSet = (state: ViState, name: Name): boolean => state.options[name] !== false && state.options[name] !== 8;

function show(state: ViState, name: Name): string {
  const value = state.options[name];
  return typeof value === 'number' ? `  ${name}=${value}` : `${value ? '  ' : 'no'}${name}`;
}
