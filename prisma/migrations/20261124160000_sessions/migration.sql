CREATE TABLE "platform"."session" (
    "id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "key_hash" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "revoked_at" TIMESTAMP(3),

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "session_hash_key" ON "platform"."session"("hash");
CREATE INDEX "session_key_hash_idx" ON "platform"."session"("key_hash");
CREATE INDEX "session_expires_at_idx" ON "platform"."session"("expires_at");

CREATE TABLE "platform"."sign_in_link" (
    "hash" TEXT NOT NULL,
    "key_hash" TEXT NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "sign_in_link_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "sign_in_link_expires_at_idx" ON "platform"."sign_in_link"("expires_at");

-- Which tenant a session is of is known only when its key's row is found: closed to terrarium_tenant, as the operator's keys are.
ALTER TABLE "platform"."session" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "platform"."sign_in_link" ENABLE ROW LEVEL SECURITY;
