/**
 * What a change consists of: validation, the comparison with what is deployed, tasks and stages.
 */
package io.middleware.engine.activities.plan;
