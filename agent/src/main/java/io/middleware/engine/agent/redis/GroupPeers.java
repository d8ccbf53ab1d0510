package io.middleware.engine.agent.redis;

import java.util.List;

/** The pods of a replication group at the moment of the call. */
public interface GroupPeers {
  /** The pods with an address, including this pod, whether they answer or not. */
  List<RedisPeer> present();

  /** The desired number of pods, which are numbered from 0; 0: unknown. */
  int expected();
}
