import { isBootstrapToken, lifeOf, readBootstrapToken } from '../../kinds/core/secret/bootstrap-token.js';
import { Secrets } from '../../kinds/index.js';
import { defineController } from '../../runtime/controller.js';

/** Removes bootstrap tokens that have expired. Models pkg/controller/bootstrap/tokencleaner.go. */
export const controller = defineController({
  name: 'tokencleaner',
  actor: 'system:serviceaccount:kube-system:token-cleaner',
  eventSource: 'token-cleaner',
  for: { kind: Secrets, when: isBootstrapToken },
  reconcile({ client, now }, key) {
    const secret = client.get(Secrets, key);
    if (!secret || !isBootstrapToken(secret)) return undefined;
    const life = lifeOf(readBootstrapToken(secret), now);
    if (life > 0) return life === Infinity ? undefined : { requeueAfter: life };
    client.delete(Secrets, key, { preconditions: { uid: secret.metadata.uid } });
    return undefined;
  },
});
