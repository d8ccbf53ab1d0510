/** Carries out LoadTests: Jobs of users, and what must hold while they run. */
package io.middleware.engine.activities.testing.load;
