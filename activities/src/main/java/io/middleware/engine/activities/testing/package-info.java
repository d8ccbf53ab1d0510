/**
 * Carries out IntegrationTests: rounds, steps, manifests, conditions and clean-up, with the rights
 * of the service accounts they name; what LoadTests share.
 */
package io.middleware.engine.activities.testing;
