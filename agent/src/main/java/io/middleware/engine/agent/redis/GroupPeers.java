package io.middleware.engine.agent.redis;

import java.util.List;

/** The pods of a replication group, as the cluster knows them at the moment of the call. */
public interface GroupPeers {
  /** The pods that have an address now, whether they answer or not; this pod is one of them. */
  List<RedisPeer> present();

  /** How many pods the group is to have: those of the numbers from 0 on. 0: not known. */
  int expected();
}
