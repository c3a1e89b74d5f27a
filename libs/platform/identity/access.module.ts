import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { ListenConnection, type LogStore } from '@terrarium/store';
import type { PrismaClient } from '../database.js';
import { Identity } from './identity.js';
import { DATABASE, LOG_STORE } from '../injection-tokens.js';
import { Invalidations } from './invalidations.js';
import { Keys } from './keys/keys.js';
import type { Settings } from '../settings.js';
import { Sessions } from './sessions.js';
import { StaleCredentials } from './keys/stale-credentials.js';
import { Tenants } from '../tenants/tenants.js';
import { TokenSigner } from './tokens/token-signer.js';
import { Tokens } from './tokens/tokens.js';
import { Users } from './users.js';

/** Tenants with their limits, users, keys and tokens. PlatformModule opens and closes what they need. */
@Module({})
export class AccessModule {
  /** One of each in every process: they share what the others have told them through Invalidations. */
  constructor(invalidations: Invalidations, identity: Identity, tenants: Tenants, signer: TokenSigner) {
    for (const listener of [identity, tenants, signer]) invalidations.listen(listener);
  }

  static with(settings: Settings): DynamicModule {
    const providers: Provider[] = [
      {
        provide: Invalidations,
        inject: [DATABASE, ListenConnection],
        useFactory: (database: PrismaClient, connection: ListenConnection) => new Invalidations(database, connection),
      },
      {
        provide: TokenSigner,
        inject: [DATABASE],
        useFactory: (database: PrismaClient) => new TokenSigner(database, settings),
      },
      {
        provide: Identity,
        inject: [DATABASE, TokenSigner],
        useFactory: (database: PrismaClient, signer: TokenSigner) =>
          new Identity(database, { signer, operatorKey: settings.operatorKey }),
      },
      {
        provide: Tenants,
        inject: [DATABASE, LOG_STORE, Invalidations],
        useFactory: (database: PrismaClient, store: LogStore, invalidations: Invalidations) =>
          new Tenants(database, store, invalidations),
      },
      {
        provide: Tokens,
        inject: [DATABASE, TokenSigner, Invalidations],
        useFactory: (database: PrismaClient, signer: TokenSigner, invalidations: Invalidations) =>
          new Tokens(database, signer, invalidations, settings.kubeconfigTtlMs),
      },
      {
        provide: Users,
        inject: [DATABASE, Invalidations],
        useFactory: (database: PrismaClient, invalidations: Invalidations) => new Users(database, invalidations),
      },
      {
        provide: Keys,
        inject: [DATABASE, Invalidations],
        useFactory: (database: PrismaClient, invalidations: Invalidations) => new Keys(database, invalidations),
      },
      {
        provide: Sessions,
        inject: [DATABASE, Invalidations],
        useFactory: (database: PrismaClient, invalidations: Invalidations) => new Sessions(database, invalidations),
      },
      {
        provide: StaleCredentials,
        inject: [DATABASE, LOG_STORE],
        useFactory: (database: PrismaClient, store: LogStore) => new StaleCredentials(database, store),
      },
    ];
    return {
      module: AccessModule,
      providers,
      exports: [Invalidations, TokenSigner, Identity, Tenants, Tokens, Users, Keys, Sessions, StaleCredentials],
    };
  }
}
