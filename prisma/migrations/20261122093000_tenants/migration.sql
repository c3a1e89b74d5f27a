-- Tenants that exist may keep what they could have until now: their clusters with 200 nodes each.
ALTER TABLE "platform"."tenant"
  ADD COLUMN "max_nodes" INTEGER NOT NULL DEFAULT 1000,
  ADD COLUMN "max_bytes" BIGINT NOT NULL DEFAULT 4294967296,
  ADD COLUMN "max_cluster_bytes" BIGINT NOT NULL DEFAULT 134217728,
  ADD COLUMN "max_requests_per_second" INTEGER,
  ADD COLUMN "suspended_at" TIMESTAMP(3);
UPDATE "platform"."tenant"
   SET "max_nodes" = least("max_clusters"::bigint * 200, 2147483647),
       "max_bytes" = greatest("max_bytes", "max_clusters" * "max_cluster_bytes");

CREATE TYPE "platform"."scope" AS ENUM ('read', 'use', 'manage');

-- A key gets an id by which it can be named. The keys that exist may do everything, as before.
ALTER TABLE "platform"."api_key"
  ADD COLUMN "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN "scope" "platform"."scope" NOT NULL DEFAULT 'manage',
  ADD COLUMN "created_by" TEXT,
  ADD COLUMN "expires_at" TIMESTAMP(3),
  ADD COLUMN "last_used_at" TIMESTAMP(3),
  DROP CONSTRAINT "api_key_pkey",
  ADD CONSTRAINT "api_key_pkey" PRIMARY KEY ("id");
ALTER TABLE "platform"."api_key" ALTER COLUMN "id" DROP DEFAULT;
CREATE UNIQUE INDEX "api_key_hash_key" ON "platform"."api_key"("hash");

CREATE TABLE "platform"."operator_key" (
    "id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMP(3),
    "last_used_at" TIMESTAMP(3),
    "revoked_at" TIMESTAMP(3),

    CONSTRAINT "operator_key_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "operator_key_hash_key" ON "platform"."operator_key"("hash");

CREATE TABLE "platform"."access_token" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "key_id" UUID,
    "cluster_id" TEXT NOT NULL,
    "scope" "platform"."scope" NOT NULL,
    "subject" TEXT,
    "groups" TEXT[],
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "revoked_at" TIMESTAMP(3),

    CONSTRAINT "access_token_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "access_token_tenant_id_cluster_id_idx" ON "platform"."access_token"("tenant_id", "cluster_id");
CREATE INDEX "access_token_expires_at_idx" ON "platform"."access_token"("expires_at");
ALTER TABLE "platform"."access_token" ADD CONSTRAINT "access_token_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "platform"."tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "platform"."access_token" ADD CONSTRAINT "access_token_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "platform"."user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "platform"."access_token" ADD CONSTRAINT "access_token_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "platform"."api_key"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Several signing keys. The first one has the number 1, also when it is still to be made.
CREATE SEQUENCE "platform"."signing_key_id_seq" AS INTEGER START WITH 2 OWNED BY "platform"."signing_key"."id";
ALTER TABLE "platform"."signing_key"
  ALTER COLUMN "id" SET DEFAULT nextval('"platform"."signing_key_id_seq"'),
  ADD COLUMN "retired_at" TIMESTAMP(3);
