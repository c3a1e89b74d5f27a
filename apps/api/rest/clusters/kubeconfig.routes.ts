import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { ApiBadRequestResponse, ApiForbiddenResponse, ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';
import { Kubeconfigs, nouns, type Caller } from '@terrarium/platform';
import { CurrentCaller } from '../../gate/current-caller.js';

const YAML = 'application/yaml';
/** The answer holds credentials. */
const NO_STORE = 'no-store';

/** Kubeconfig files: of one cluster, or of several. */
@Controller('v1')
export class KubeconfigRoutes {
  constructor(private readonly kubeconfigs: Kubeconfigs) {}

  @Get('clusters/:id/kubeconfig')
  @ApiOperation({ operationId: 'getKubeconfig', summary: 'A kubeconfig file for kubectl' })
  @ApiProduces(YAML)
  @ApiOkResponse({ type: String, description: 'The file.' })
  @ApiBadRequestResponse({ description: 'The service has no such roots, or no such certificates.' })
  @ApiForbiddenResponse({ description: 'The key may not make such a user.' })
  @Header('content-type', YAML)
  @Header('cache-control', NO_STORE)
  one(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: nouns.KubeconfigQuery }) query: nouns.KubeconfigQuery,
  ): Promise<string> {
    return this.kubeconfigs.forCluster(caller, id, query);
  }

  @Get('kubeconfig')
  @ApiOperation({
    operationId: 'getKubeconfigs',
    summary: 'One kubeconfig file with a context for each of several clusters',
  })
  @ApiProduces(YAML)
  @ApiOkResponse({ type: String, description: 'The file; the context of the first cluster is the current one.' })
  @ApiBadRequestResponse({
    description: 'The clusters are too many, or the service has no such roots or certificates.',
  })
  @ApiForbiddenResponse({ description: 'The key may not make such a user.' })
  @Header('content-type', YAML)
  @Header('cache-control', NO_STORE)
  several(
    @CurrentCaller() caller: Caller,
    @Query({ schema: nouns.KubeconfigsQuery }) query: nouns.KubeconfigsQuery,
  ): Promise<string> {
    return this.kubeconfigs.forClusters(caller, query);
  }
}
