/**
 * Stands between what templates rendered and the first write: refuses what reaches beyond the
 * group, forces what the engine relies on.
 */
package io.middleware.engine.activities.render.guard;
