/**
 * Carries out IntegrationTests and LoadTests, with the rights of the service accounts they name.
 */
package io.middleware.engine.activities.testing;
