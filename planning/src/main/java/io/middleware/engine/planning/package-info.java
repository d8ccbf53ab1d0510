/** Plans a change: comparison with the deployed state, tasks and stages, dry run, preview. */
package io.middleware.engine.planning;
