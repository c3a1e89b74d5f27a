-- Every key begins with the cluster (or the tenant) and no foreign key crosses clusters, so that the log can be sharded.

create table log.cluster (
  id             text primary key,
  tenant_id      text not null,
  head           bigint not null,
  base_template  text,
  base_parent    text,
  base_revision  bigint not null default 0,
  -- Set while a fork still reads its parent's rows: cleared by the fork's first checkpoint.
  reads_parent   boolean not null default false,
  settings       jsonb not null,
  created_at     timestamptz not null,
  -- When the history begins: a fork has its first ancestor's.
  epoch          timestamptz not null,
  next_wake      timestamptz not null default 'infinity',
  halted         text,
  deleted_at     timestamptz
) with (fillfactor = 70);

create index cluster_tenant on log.cluster (tenant_id, id);
create index cluster_wake on log.cluster (next_wake) where next_wake < 'infinity' and halted is null and deleted_at is null;
create index cluster_forks on log.cluster (base_parent, base_revision) where reads_parent;

create table log.segment (
  cluster_id     text not null,
  first_revision bigint not null,
  last_revision  bigint not null,
  at             timestamptz not null,
  changes        bytea not null,
  primary key (cluster_id, last_revision)
);
-- The writer has compressed what is worth it.
alter table log.segment alter column changes set storage external;

create table log.checkpoint (
  -- A cluster's id, or 'template:<key>'.
  owner          text not null,
  revision       bigint not null,
  state          bytea not null,
  primary key (owner, revision)
);
alter table log.checkpoint alter column state set storage external;

-- Locks the row, compares the head, appends, moves the head: one round trip, one commit.
-- No rows: no such cluster. p_changes null only sets the wake. p_wake_by brings next_wake forward, p_wake_at sets it.
create function log.append(
  p_cluster text, p_expected bigint, p_first bigint, p_last bigint, p_at timestamptz, p_changes bytea,
  p_wake_by timestamptz, p_wake_at timestamptz
) returns table (ok boolean, head bigint) language plpgsql as $$
declare
  found_head bigint;
begin
  select c.head into found_head from log.cluster c where c.id = p_cluster and c.deleted_at is null for update;
  if not found then
    return;
  end if;
  if found_head <> p_expected then
    return query select false, found_head;
    return;
  end if;
  if p_changes is not null then
    insert into log.segment values (p_cluster, p_first, p_last, p_at, p_changes);
    found_head := p_last;
  end if;
  update log.cluster c
     set head = found_head, next_wake = coalesce(p_wake_at, least(c.next_wake, p_wake_by))
   where c.id = p_cluster;
  return query select true, found_head;
end
$$;

-- The earliest revision whose state can still be built from a checkpoint and segments.
create function log.oldest(p_cluster text) returns bigint language sql stable as $$
  select case
    when k.oldest is null then c.base_revision
    when (c.base_parent is null or c.reads_parent)
         and exists (select from log.segment s where s.cluster_id = c.id and s.first_revision = c.base_revision + 1) then c.base_revision
    else k.oldest
  end
  from log.cluster c
  cross join lateral (select min(revision) as oldest from log.checkpoint where owner = c.id) k
  where c.id = p_cluster
$$;

-- A fork is one row. The parent's lock keeps compaction away until the row is there. Null: no such parent.
create function log.lock_parent(p_parent text) returns table (head bigint, oldest bigint, epoch timestamptz) language plpgsql as $$
begin
  return query select c.head, log.oldest(c.id), c.epoch from log.cluster c where c.id = p_parent and c.deleted_at is null for share;
end
$$;

-- Rows of a deleted cluster go when no fork reads them; then its own parent's may go too.
create function log.purge(p_cluster text) returns void language plpgsql as $$
declare
  parent text;
begin
  perform 1 from log.cluster c where c.id = p_cluster and c.deleted_at is not null for update;
  if not found or exists (select from log.cluster f where f.base_parent = p_cluster and f.reads_parent) then
    return;
  end if;
  delete from log.segment s where s.cluster_id = p_cluster;
  delete from log.checkpoint k where k.owner = p_cluster;
  delete from log.cluster c where c.id = p_cluster returning c.base_parent into parent;
  if parent is not null then
    perform log.purge(parent);
  end if;
end
$$;

-- A fork's first checkpoint cuts it loose from its parent.
create function log.save_checkpoint(p_owner text, p_revision bigint, p_state bytea) returns void language plpgsql as $$
declare
  parent text;
begin
  if p_owner not like 'template:%' then
    perform 1 from log.cluster c where c.id = p_owner and c.deleted_at is null for share;
    if not found then
      return;
    end if;
  end if;
  insert into log.checkpoint values (p_owner, p_revision, p_state) on conflict do nothing;
  update log.cluster c set reads_parent = false where c.id = p_owner and c.reads_parent returning c.base_parent into parent;
  if parent is not null then
    perform log.purge(parent);
  end if;
end
$$;

-- Cuts the log off at the newest checkpoint that is old enough and that no fork needs to be older.
create function log.compact(p_cluster text, p_before timestamptz) returns bigint language plpgsql as $$
declare
  forked bigint;
  cut bigint;
  dropped bigint;
begin
  perform 1 from log.cluster c where c.id = p_cluster for update;
  select min(f.base_revision) into forked from log.cluster f where f.base_parent = p_cluster and f.reads_parent;
  select max(k.revision) into cut
    from log.checkpoint k join log.segment s on s.cluster_id = k.owner and s.last_revision = k.revision
   where k.owner = p_cluster and s.at < p_before and (forked is null or k.revision <= forked);
  delete from log.segment s where s.cluster_id = p_cluster and s.last_revision <= cut;
  get diagnostics dropped = row_count;
  delete from log.checkpoint k where k.owner = p_cluster and k.revision < cut;
  return dropped;
end
$$;
