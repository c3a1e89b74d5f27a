import { Body, Controller, Delete, Get, Header, HttpCode, Inject, Param, Post, Query, UseGuards } from '@nestjs/common';
import { Clusters, Identity, kubeconfig, nouns, type Caller } from '@terrarium/platform';
import { ApiKeyGuard, CurrentCaller } from '../edge/api-key.guard.js';
import { CERTIFICATE_AUTHORITY } from './certificate-authority.token.js';
import { ZodValidationPipe } from './zod-validation.pipe.js';

/** /v1/clusters: the platform's own REST. */
@Controller('v1/clusters')
@UseGuards(ApiKeyGuard)
export class ClustersRoutes {
  constructor(
    private readonly identity: Identity,
    private readonly clusters: Clusters,
    @Inject(CERTIFICATE_AUTHORITY) private readonly authority: string | undefined,
  ) {}

  @Post()
  @HttpCode(201)
  create(
    @CurrentCaller() caller: Caller,
    @Body(new ZodValidationPipe(nouns.NewCluster)) cluster: nouns.NewCluster,
  ): Promise<nouns.Cluster> {
    return this.clusters.create(caller, cluster);
  }

  @Get()
  list(
    @CurrentCaller() caller: Caller,
    @Query(new ZodValidationPipe(nouns.Page)) page: nouns.Page,
  ): Promise<nouns.ClusterList> {
    return this.clusters.list(caller, page);
  }

  @Get(':id')
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<nouns.Cluster> {
    return this.clusters.get(caller, id);
  }

  @Delete(':id')
  @HttpCode(204)
  delete(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.clusters.delete(caller, id);
  }

  @Get(':id/kubeconfig')
  @Header('content-type', 'application/yaml')
  async kubeconfig(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<string> {
    const { name, server } = await this.clusters.get(caller, id);
    return kubeconfig({
      name,
      server: this.authority ? server.replace(/^http:/, 'https:') : server,
      token: await this.identity.clusterToken(caller, id),
      authority: this.authority,
    });
  }
}
