import type { Program } from '../../../engine/kernel/process/program.js';
import { cmp, diff } from './diff.js';
import { find } from './find/find.js';
import { egrep, fgrep, grep } from './grep.js';
import { patch } from './patch/patch.js';
import { sed } from './sed/sed.js';
import { clear, column, more, strings, which } from './small.js';
import { xargs } from './xargs.js';

/** What searches, filters and rewrites text: by package and name, and as busybox' applets. */
export const programs: Readonly<Record<string, Program>> = {
  ...{ 'grep:grep': grep, 'grep:egrep': egrep, 'grep:fgrep': fgrep, 'sed:sed': sed },
  ...{ 'diffutils:diff': diff, 'diffutils:cmp': cmp, 'debianutils:which': which, 'ncurses:clear': clear },
  ...{ 'util-linux:more': more, 'util-linux:column': column, 'less:less': more, 'binutils:strings': strings },
  ...{ 'busybox:diff': diff.as('busybox'), 'busybox:cmp': cmp.as('busybox'), 'busybox:which': which.as('busybox') },
  ...{ 'busybox:clear': clear.as('busybox'), 'busybox:more': more.as('busybox'), 'busybox:less': more.as('busybox') },
  'busybox:strings': strings.as('busybox'),
  ...{ 'patch:patch': patch, 'busybox:patch': patch.as('busybox') },
  ...{ 'findutils:find': find, 'findutils:xargs': xargs },
  ...{ 'busybox:grep': grep.as('busybox'), 'busybox:egrep': egrep.as('busybox'), 'busybox:fgrep': fgrep.as('busybox') },
  ...{ 'busybox:sed': sed.as('busybox'), 'busybox:find': find.as('busybox'), 'busybox:xargs': xargs.as('busybox') },
};
