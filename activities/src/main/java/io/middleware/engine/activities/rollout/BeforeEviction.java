package io.middleware.engine.activities.rollout;

import io.middleware.engine.activities.maintenance.LastCopy;
import io.middleware.engine.activities.maintenance.PrimarySwitchover;

/**
 * What a pod may have to do before it is evicted.
 *
 * @param switchover of a primary
 * @param lastCopy of data that no other pod has
 */
record BeforeEviction(PrimarySwitchover switchover, LastCopy lastCopy) {}
