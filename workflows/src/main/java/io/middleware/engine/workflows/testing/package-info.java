/** The workflows that carry out IntegrationTests and LoadTests. */
package io.middleware.engine.workflows.testing;
