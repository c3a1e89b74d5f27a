import { defineJob, type Command } from '../command/command.js';
import { readFile } from './mounttest.js';
import { readResolverSettings } from '../../lookup.js';
import { sleepUntil } from '../../../../engine/kernel/process/program.js';
import { klogHead } from '../../go.js';
import { readFlags } from '../command/command.js';
import type { FlagTable } from '../command/flags.js';

const nothing = (): null => null;

/** Prints all of its arguments, as `[a b]`. Models test/images/agnhost/entrypoint-tester. */
export const entrypointTester: Command = {
  flags: {},
  operands: 'any',
  program: defineJob(nothing, (job) => {
    job.out(`[${job.argv.join(' ')}]\n`);
    return 0;
  }),
};

/** Models test/images/agnhost/dns. */
export const dnsSuffix: Command = {
  flags: {},
  program: defineJob(nothing, (job) => {
    job.out(`${readResolverSettings(job.sys).search.join(',')}\n`);
    return 0;
  }),
};

export const dnsServerList: Command = {
  flags: {},
  program: defineJob(nothing, (job) => {
    job.out(`${readResolverSettings(job.sys).servers.join(',')}\n`);
    return 0;
  }),
};

export const etcHosts: Command = {
  flags: {},
  program: defineJob(nothing, (job) => {
    job.out(`${readFile(job.sys, '/etc/hosts')}\n`);
    return 0;
  }),
};

const LOG_FLAGS: FlagTable = { 't,log-lines-total': ['int', '0'], 'd,run-duration': ['duration', '0'] };
const METHODS = ['GET', 'POST', 'PUT'];
const NAMESPACES = ['kube-system', 'default', 'ns'];
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** Lines at equal distances. Models test/images/agnhost/logs-generator. */
export const logsGenerator: Command = {
  flags: LOG_FLAGS,
  program: defineJob<{ id: number; startedAt: number | null }>(
    () => ({ id: 0, startedAt: null }),
    (job) => {
      const { sys, own } = job;
      const flags = readFlags(LOG_FLAGS, job.argv);
      const total = flags.number('log-lines-total');
      const duration = flags.duration('run-duration');
      const fail = (message: string): number => {
        job.err(`${klogHead('F', sys.now, sys.pid, 'logs_generator.go:66')}${message}\n`);
        return 255;
      };
      if (total <= 0) return fail(`Invalid total number of lines: ${total}`);
      if (duration <= 0) return fail(`Invalid duration: ${flags.text('run-duration')}`);
      own.startedAt ??= sys.now;
      const timeOf = (id: number): number => own.startedAt! + Math.ceil((id * duration) / total);
      while (own.id < total && sys.now >= timeOf(own.id)) {
        job.err(`${klogHead('I', sys.now, sys.pid, 'logs_generator.go:76')}${lineOf(own.id++, () => sys.random())}\n`);
      }
      return own.id >= total && sys.now >= timeOf(total) ? 0 : sleepUntil(timeOf(own.id));
    },
  ),
};

function lineOf(id: number, random: () => number): string {
  const pick = <T>(list: ArrayLike<T>): T => list[Math.floor(random() * list.length)]!;
  const method = pick(METHODS);
  const namespace = pick(NAMESPACES);
  const length = 3 + Math.floor(random() * 2);
  const pod = Array.from({ length }, () => pick(LETTERS)).join('');
  return `${id} ${method} /api/v1/namespaces/${namespace}/pods/${pod} ${200 + Math.floor(random() * 400)}`;
}
