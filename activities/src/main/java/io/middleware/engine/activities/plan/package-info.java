/** Plans a change: validation, comparison with the deployed state, tasks and stages. */
package io.middleware.engine.activities.plan;
