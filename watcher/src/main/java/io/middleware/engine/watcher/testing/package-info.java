/** IntegrationTests and LoadTests: when each one begins, is cancelled and is removed. */
package io.middleware.engine.watcher.testing;
