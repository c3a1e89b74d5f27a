import type { Program } from '../../../engine/kernel/process/program.js';
import { apk } from './apk.js';
import { apt, aptGet, aptMark, dpkg } from './apt.js';
import { gpg } from './gpg.js';
import { updateCaCertificates } from './update-ca-certificates.js';
import { yum } from './yum.js';

/** Managers of packages, by package and name. */
export const programs: Readonly<Record<string, Program>> = {
  ...{
    'apt:apt': apt,
    'apt:apt-get': aptGet,
    'apt:apt-cache': aptGet,
    'apt:apt-mark': aptMark,
    'dpkg:dpkg': dpkg,
    'dpkg:dpkg-query': dpkg,
    'gnupg:gpg': gpg,
    'ca-certificates:update-ca-certificates': updateCaCertificates,
  },
  ...{ 'alpine:apk': apk, 'yum:yum': yum, 'yum:dnf': yum, 'yum:microdnf': yum },
};
