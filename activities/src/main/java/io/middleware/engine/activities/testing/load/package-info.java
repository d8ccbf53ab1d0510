/**
 * Carries out LoadTests: Jobs of users as a workload on a target, and what must hold while they
 * run.
 */
package io.middleware.engine.activities.testing.load;
