import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Module, type DynamicModule } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import { PlatformModule, type Settings } from '@terrarium/platform';
import type { FastifyRequest } from 'fastify';
import { AUTHORITY } from './edge/authority.js';
import { ClustersRoutes } from './rest/clusters.routes.js';
import { boundedOperations } from './graphql/limits.js';
import { KubeObjects } from './graphql/kube-objects.js';
import { Resolvers, type GraphQLContext } from './graphql/resolvers.js';
import { HealthRoutes } from './rest/health.routes.js';

export const GRAPHQL_PATH = '/graphql';

@Module({})
export class ApiModule {
  static with(settings: Settings, authority: string | undefined): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        PlatformModule.with({ settings, runs: false }),
        GraphQLModule.forRoot<ApolloDriverConfig>({
          driver: ApolloDriver,
          path: GRAPHQL_PATH,
          autoSchemaFile: true,
          graphiql: true,
          introspection: true,
          validationRules: [boundedOperations],
          allowBatchedHttpRequests: false,
          context: (request: FastifyRequest): GraphQLContext => ({ authorization: request.headers.authorization }),
          formatError: ({ message, extensions, path, locations }) => ({
            message,
            path,
            locations,
            extensions: {
              code: extensions?.['code'],
              status: extensions?.['status'],
              details: extensions?.['details'],
            },
          }),
        }),
      ],
      controllers: [ClustersRoutes, HealthRoutes],
      providers: [KubeObjects, Resolvers, { provide: AUTHORITY, useValue: authority }],
    };
  }
}
