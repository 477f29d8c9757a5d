//! Who is told what the translation is doing: large programs take a while.

use std::fmt;
use std::sync::Arc;

/// Is told the name of each stage when it begins; or nobody is.
#[derive(Clone, Default)]
pub struct Watch(Option<Arc<dyn Fn(&'static str) + Send + Sync>>);

impl Watch {
    /// Somebody who wants to know.
    pub fn new(tell: impl Fn(&'static str) + Send + Sync + 'static) -> Watch {
        Watch(Some(Arc::new(tell)))
    }

    /// A stage begins.
    pub(crate) fn begin(&self, stage: &'static str) {
        if let Some(tell) = &self.0 {
            tell(stage);
        }
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Who watches makes no difference.
        f.write_str("Watch")
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::Options;
    use crate::translate::translate_text;
    use crate::watch::Watch;
    use std::sync::{Arc, Mutex};

    #[test]
    fn stages_are_told_in_order() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let watch = Watch::new({
            let told = told.clone();
            move |stage| told.lock().unwrap().push(stage)
        });
        let options = Options { watch, ..Options::default() };
        translate_text("test.c", "int main(void) { return 0; }", &options, &[]).unwrap();
        let told = told.lock().unwrap();
        assert_eq!(told.first(), Some(&"parsing"));
        assert!(told.contains(&"pointers") && told.last() == Some(&"steps"), "{told:?}");
    }
}
