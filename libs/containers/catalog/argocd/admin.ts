import { Secrets, type Client, type Start } from '@terrarium/engine';
import { passwordOf } from '../../programs/task.js';

const SETTINGS = 'argocd-secret';
const INITIAL = 'argocd-initial-admin-secret';
/** As long as bcrypt's: nobody logs in here. */
const HASH_LETTERS = 53;

/**
 * The first server of an installation makes up the password of `admin`, and leaves it in a Secret for whoever
 * installed it. Models argo-cd util/settings/settings.go.
 */
export function keepInitialPassword(api: Client, start: Start): void {
  const { namespace } = start.pod;
  const settings = api.get(Secrets, { namespace, name: SETTINGS });
  if (!settings || settings.data?.['admin.password'] !== undefined) return;
  const password = passwordOf(start);
  const hash = `$2a$10$${password.repeat(4).slice(0, HASH_LETTERS)}`;
  const made = {
    'admin.password': btoa(hash),
    'admin.passwordMtime': btoa(`${new Date(start.at).toISOString().slice(0, 19)}Z`),
    'server.secretkey': btoa(btoa(password.repeat(2))),
  };
  api.update(Secrets, { ...settings, data: { ...settings.data, ...made } });
  const key = { namespace, name: INITIAL };
  if (api.get(Secrets, key)) return;
  const data = { password: btoa(password) };
  api.create(Secrets, { apiVersion: 'v1', kind: 'Secret', metadata: key, type: 'Opaque', data });
}
