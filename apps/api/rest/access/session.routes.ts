import { Controller, Delete, Get, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { nouns, Sessions, SESSION_MS, SETTINGS, type Principal, type Settings } from '@terrarium/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionCookie, writeCookie, type SessionCookie } from '../../edge/session-cookie.js';
import { CurrentPrincipal } from '../../gate/current-caller.js';

const SECONDS = 1_000;

/** /v1/session: a browser that is signed in keeps a cookie that no script reads, in place of a key. */
@Controller('v1/session')
export class SessionRoutes {
  private readonly cookie: SessionCookie;

  constructor(
    private readonly sessions: Sessions,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.cookie = sessionCookie(settings);
  }

  @Post()
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'signIn', summary: 'Sign a browser in with a key, or once with a link' })
  @ApiCreatedResponse({ standardSchema: nouns.Session, description: 'Signed in; the cookie is the session.' })
  @ApiForbiddenResponse({ description: 'The key has signed in too many browsers.' })
  async signIn(
    @CurrentPrincipal() principal: Principal,
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<nouns.Session> {
    const { secret, expiresAt } = await this.sessions.open(headers.authorization);
    void reply.header('set-cookie', writeCookie(this.cookie, secret, SESSION_MS / SECONDS));
    return toSession({ ...principal, expiresAt: Math.min(expiresAt.getTime(), principal.expiresAt ?? Infinity) });
  }

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'whoAmI', summary: 'Read who you are, and what you may do' })
  @ApiOkResponse({ standardSchema: nouns.Session, description: 'You.' })
  read(@CurrentPrincipal() principal: Principal): nouns.Session {
    return toSession(principal);
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ operationId: 'signOut', summary: 'Sign this browser out at once' })
  @ApiNoContentResponse({ description: 'The session is refused from now on.' })
  async signOut(
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    if (principal.kind !== 'token') await this.sessions.close(principal);
    void reply.header('set-cookie', writeCookie(this.cookie, undefined, 0));
  }

  @Post('links')
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'createSignInLink', summary: 'Make a link that signs one browser in, for ten minutes' })
  @ApiCreatedResponse({
    standardSchema: nouns.CreatedSignInLink,
    description: 'For the fragment of the console’s URL.',
  })
  @ApiForbiddenResponse({ description: 'A session makes no links: a key does.' })
  createLink(@Req() { headers }: FastifyRequest): Promise<nouns.CreatedSignInLink> {
    return this.sessions.createLink(headers.authorization);
  }
}

function toSession({ kind, scope, tenantId, userId, userName, expiresAt }: Principal): nouns.Session {
  return {
    kind: kind === 'operator' ? 'operator' : 'key',
    scope,
    ...(tenantId === undefined ? {} : { tenantId, userId, userName }),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  };
}
