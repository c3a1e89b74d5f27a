import { exit, YIELD, type Program } from '../../../../../engine/kernel/process/program.js';
import { addOutput, flushOutput, type Output } from '../../../../tools/framework/output.js';
import { closeLink, makeLink, proceed, socketsOf, waitOf, type Link } from './connection.js';
import { applyConnection, completeTarget, defaultTarget, readOptions } from './options.js';

type State = { link: Link; isQuiet: boolean; until: number; output: Output; code: number | null };

const OPTIONS = { values: { t: 'timeout', timeout: 'timeout' }, flags: { q: 'quiet', quiet: 'quiet' } };
const TIMEOUT_MS = 3_000;
const REJECTING = 1;
const NO_RESPONSE = 2;
const NO_ATTEMPT = 3;

/** Whether a server answers: also to a user that there is not. */
const program: Program<State> = {
  start(argv, sys) {
    const target = { ...defaultTarget(sys, 'pg_isready') };
    const options = readOptions(argv.slice(1), OPTIONS);
    applyConnection(options, target);
    completeTarget(target, sys);
    const isQuiet = options.given.some(([name]) => name === 'quiet');
    const seconds = Number(options.given.find(([name]) => name === 'timeout')?.[1] ?? NaN);
    const until = sys.now + (seconds > 0 ? seconds * 1_000 : TIMEOUT_MS);
    const state: State = { link: makeLink(target), isQuiet, until, output: [], code: null };
    if (options.wrong === undefined) return state;
    addOutput(
      state.output,
      2,
      `pg_isready: ${options.wrong}\npg_isready: hint: Try "pg_isready --help" for more information.\n`,
    );
    return { ...state, code: NO_ATTEMPT };
  },
  step(state, sys) {
    const blocked = flushOutput(state.output, sys);
    if (blocked !== undefined) return blocked;
    if (state.code !== null) return exit(state.code);
    const { link } = state;
    proceed(link, sys);
    const isOver = sys.now >= state.until;
    if (link.phase !== 'ready' && link.phase !== 'closed' && !isOver)
      return { type: 'wait', ...waitOf(link), until: state.until };
    const answers = link.phase === 'ready' || link.needsPassword || /FATAL: {2}/.test(link.problem);
    const isRejecting = answers && /starting up|shutting down/.test(link.problem);
    state.code = isRejecting ? REJECTING : answers ? 0 : NO_RESPONSE;
    const words = ['accepting connections', 'rejecting connections', 'no response'][state.code]!;
    const where = socketsOf(link.target);
    if (!state.isQuiet) addOutput(state.output, 1, `${where}:${link.target.port} - ${words}\n`);
    closeLink(link, sys);
    return YIELD;
  },
};
export const pgIsReady = program as unknown as Program;
