//! `/history` and `/privacy`: what is found and by whom, what is kept, and that what is deleted is gone.

mod deleted;
mod found;
mod given;
mod privacy;
mod scene;
