/**
 * Plans a change: comparison with the deployed state, tasks and stages, dry run, approval and
 * preview; the checks, hooks, backups and policies of its tasks.
 */
package io.middleware.engine.planning;
