import type { Program } from '../../../engine/kernel/process/program.js';
import { gpasswd, groupadd, groupdel, groupmod } from './groups.js';
import { chage, chpasswd, passwd } from './passwords.js';
import { useradd } from './useradd.js';
import { userdel } from './userdel.js';
import { usermod } from './usermod.js';

/** Accounts of a system: what Debian's package passwd has. */
export const programs: Readonly<Record<string, Program>> = {
  'passwd:useradd': useradd,
  'passwd:userdel': userdel,
  'passwd:usermod': usermod,
  'passwd:groupadd': groupadd,
  'passwd:groupdel': groupdel,
  'passwd:groupmod': groupmod,
  'passwd:gpasswd': gpasswd,
  'passwd:passwd': passwd,
  'passwd:chpasswd': chpasswd,
  'passwd:chage': chage,
};
