/** Tests of Apps: IntegrationTests and LoadTests, of the API group {@code test.middleware.io}. */
package io.middleware.engine.api.testing;
