import { Body, Controller, Delete, Get, Header, Headers, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { AUTHORITY } from '../edge/authority.js';
import { Clusters, Identity, kubeconfig, nouns, parse, type Caller } from '@terrarium/platform';

/** /v1/clusters: the platform's own REST. Every method begins with who is calling. */
@Controller('v1/clusters')
export class ClustersRoutes {
  constructor(
    private readonly identity: Identity,
    private readonly clusters: Clusters,
    @Inject(AUTHORITY) private readonly authority: string | undefined,
  ) {}

  @Post()
  @HttpCode(201)
  async create(@Headers('authorization') key: string | undefined, @Body() body: unknown): Promise<nouns.Cluster> {
    const caller = await this.caller(key);
    return this.clusters.create(caller, parse(nouns.NewCluster, body ?? {}));
  }

  @Get()
  async list(@Headers('authorization') key: string | undefined, @Query() query: unknown): Promise<nouns.ClusterList> {
    const caller = await this.caller(key);
    return this.clusters.list(caller, parse(nouns.Page, query));
  }

  @Get(':id')
  async get(@Headers('authorization') key: string | undefined, @Param('id') id: string): Promise<nouns.Cluster> {
    return this.clusters.get(await this.caller(key), id);
  }

  @Delete(':id')
  @HttpCode(204)
  async delete(@Headers('authorization') key: string | undefined, @Param('id') id: string): Promise<void> {
    await this.clusters.delete(await this.caller(key), id);
  }

  @Get(':id/kubeconfig')
  @Header('content-type', 'application/yaml')
  async kubeconfig(@Headers('authorization') key: string | undefined, @Param('id') id: string): Promise<string> {
    const caller = await this.caller(key);
    const cluster = await this.clusters.get(caller, id);
    const server = this.authority ? cluster.server.replace(/^http:/, 'https:') : cluster.server;
    return kubeconfig({
      name: cluster.name,
      server,
      token: await this.identity.clusterToken(caller, id),
      authority: this.authority,
    });
  }

  private caller(key: string | undefined): Promise<Caller> {
    return this.identity.caller(key);
  }
}
